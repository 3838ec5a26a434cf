import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { BesideOf, ListQuery, InputOf, ReplyOf, Route, RowOf } from '@ghanti/contract/route.ts'
import type { RouteKey, Routes } from '@ghanti/contract/routes.ts'
import type { App } from '../app.ts'
import type { policy, Viewer } from '../policy.ts'

export type Origin = { ip: string; host: string; userAgent: string }

/** What every handler gets. `viewer` is null on public routes only when nobody is signed in. */
export type Ctx = {
  app: App
  viewer: Viewer
  origin: Origin
  /** Whether the client has closed the connection and no longer waits for the reply. Absent outside requests. */
  isGone?: () => boolean
}
type PublicCtx = { app: App; viewer: Viewer | null; origin: Origin; cookies: CookieJar }

export type CookieJar = {
  set(session: { token: string; userId: number; role: string; maxAgeSeconds: number }): void
  expire(): void
  /** Shows that the browser signed in before (modules/auth/actions-device.ts). A logout leaves it. */
  device: string | null
  keepDevice(device: string, days: number): void
  /** The raw token of this request, from the cookie or the Authorization header. */
  token: string | null
}

/**
 * One page of a list and its headers (docs/api.md#lists), in Nepal time. `searchedTo`: the time of the last row examined, when there are more.
 * `archivedTo`: the time of the last row that was archived and is in no list.
 */
export type Page<Row> = {
  rows: Row[]
  total: number
  exact: boolean
  next?: string | undefined
  searchedTo?: string | undefined
  archivedTo?: string | undefined
}

/** An upload, on disk until the handler returns. To keep it, put it into the files driver. */
export type StagedFile = { path: string; size: number; fileName: string; declaredType: string }

/**
 * The answer of a file route: a stored file with its size (mount cuts ranges), a stream that is made while it is sent (CSV), or a small file that
 * is made once somebody reads it. A HEAD makes nothing.
 */
export type FileReply = {
  type: string
  /** Sent as Content-Disposition; `inline` plays in the page. */
  fileName: string
  inline?: boolean
  body: { hash: string } | { path: string } | { stream: Readable } | { make: () => Promise<Uint8Array> }
  /** Changes whenever the bytes do, so that an interrupted download resumes only with the same file. */
  etag?: string
  /** Neither shared caches nor strangers may see our files; only samples and logos are public. 'forever': the file at this address never changes. */
  cache?: 'private' | 'public' | 'forever'
}

type FilesOf<R extends Route> = {
  [F in keyof R['files']]: R['files'][F] extends { required: true } ? StagedFile : StagedFile | undefined
}

/** The raw stream of an events route, after the headers. Mount ends it when the server closes. */
export type EventStream = {
  request: IncomingMessage
  response: ServerResponse
  send(event: string, data: unknown): void
}

/** Routes that need no session. All others are refused with 401 before their handlers. */
type PublicRoute = { [K in RouteKey]: (typeof policy)[K] extends 'public' ? K : never }[RouteKey]
type CtxOf<K extends string> = K extends PublicRoute ? PublicCtx : Ctx & { cookies: CookieJar }

type ListBeside<R extends Route> = R extends { rowsIn: string } ? { beside: BesideOf<R> } : unknown

type Handler<R extends Route, Key extends string> = R['kind'] extends 'list'
  ? (ctx: CtxOf<Key>, input: InputOf<R>, query: ListQuery) => Promise<Page<RowOf<R>> & ListBeside<R>>
  : R['kind'] extends 'upload'
    ? (ctx: CtxOf<Key>, input: InputOf<R>, files: FilesOf<R>) => Promise<ReplyOf<R>>
    : R['kind'] extends 'file'
      ? (ctx: CtxOf<Key>, input: InputOf<R>) => Promise<FileReply>
      : R['kind'] extends 'events'
        ? (ctx: CtxOf<Key>, stream: EventStream) => Promise<void>
        : (ctx: CtxOf<Key>, input: InputOf<R>) => Promise<ReplyOf<R>>

/** The handlers of one area: a route without one does not compile. */
export type Handlers<Area extends keyof Routes> = {
  [Name in keyof Routes[Area]]: Routes[Area][Name] extends Route
    ? Handler<Routes[Area][Name], `${Area}.${string & Name}`>
    : never
}
export type AllHandlers = { [Area in keyof Routes]: Handlers<Area> }
