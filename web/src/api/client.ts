import { messages } from '@ghanti/contract/messages.ts'
import { pageOwnerHeader } from '@ghanti/contract/page-owner.ts'
import { RefusedFile } from '@ghanti/contract/refused.ts'
import type { BesideOf, ListQuery, ReplyOf, Route, RowOf } from '@ghanti/contract/route.ts'
import * as z from 'zod/mini'
import { basePath } from './base.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { ApiError, ownFailures } from './error.ts'
import { noteOtherAccount, pageOwner } from './page-owner.ts'

/** Its input type is what the schema accepts. */
export type CallRoute = Route & { kind: 'json' | 'upload' }
export type ListRoute = Route & { kind: 'list' }
export type FileRoute = Route & { kind: 'file' }
export type SentOf<R extends Route> = z.input<R['input']>
export type FilesOf<R extends Route> = { [Name in keyof R['files']]?: File }
export type Page<Row, Beside = unknown> = {
  rows: Row[]
  /** What accompanies the rows, for a reply that is an object. */
  beside?: Beside
  total: number
  exact: boolean
  truncated: boolean
  /** Nepal time of the last row examined, when there are more. */
  searchedTo?: string | undefined
  /** Nepal time up to which rows are archived and in no list. */
  archivedTo?: string | undefined
}

const answerWithinMs = 30_000
const Failure = z.object({
  message: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), code: z.string(), text: z.string() }))),
  file: z.optional(RefusedFile),
})

/** Fills in path parameters and returns the rest of the input. '' and absent are the same on the wire. */
export function addressOf(route: Route, sent: unknown): { path: string; rest: [string, unknown][] } {
  const entries = Object.entries(sent ?? {}).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  )
  const inPath = new Set<string>()
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    inPath.add(name)
    const value = entries.find(([key]) => key === name)?.[1]
    if (value === undefined) throw new Error(`${route.path} needs ${name}`)
    return encodeURIComponent(String(value))
  })
  return { path: basePath + path, rest: entries.filter(([key]) => !inPath.has(key)) }
}

function withQuery(path: string, query: [string, unknown][]): string {
  const search = new URLSearchParams(query.map(([key, value]) => [key, String(value)])).toString()
  return search ? `${path}?${search}` : path
}

export function fileAddress<R extends FileRoute>(route: R, sent: SentOf<R>): string {
  const { path, rest } = addressOf(route, sent)
  return withQuery(path, rest)
}

export function csvAddress<R extends ListRoute>(
  route: R,
  sent: SentOf<R>,
  order: Omit<ListQuery, 'page' | 'pageSize'>,
) {
  const { path, rest } = addressOf(route, Object.assign({}, sent, order, { format: 'csv' }))
  return withQuery(path, rest)
}

/**
 * Idempotency keys of writes whose outcome is unknown, so that repeating one does not do it twice (docs/design.md#idempotency). Any answer
 * forgets the key, except a 5xx, which a proxy may send after the server succeeded, 'in_flight', which means the first try is still
 * running, and 'proof_needed', which is asked before anything is done.
 */
const unanswered = new Map<string, string>()

/** Of an answer that refuses the request as a whole. */
const codeOf = (error: unknown) => (error instanceof ApiError ? error.errors[0]?.code : null)

function isSettled(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return false
  const code = codeOf(error)
  return code !== 'in_flight' && code !== 'proof_needed'
}

/** Equal for equal writes. The server compares the bytes of files with equal names and sizes. */
function wordsOf(address: string, fields: unknown, files: FilesOf<Route>): string {
  const filesSent = Object.entries(files).map(([name, file]) => [name, file?.name, file?.size, file?.lastModified])
  return JSON.stringify([address, fields, filesSent])
}

function freshKey(): string {
  // randomUUID exists only in secure contexts, and an office network may serve the console without TLS.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export type Asked = 'sign-in' | 'proof'
let ownerAsked: (what: Asked) => Promise<boolean> = () => Promise.resolve(false)
/**
 * The listener is called when the server says that the session has ended, or wants a proof before something sensitive. It resolves to true once the
 * same account is signed in again, or has proved itself.
 */
export function onOwnerAsked(listener: (what: Asked) => Promise<boolean>): void {
  ownerAsked = listener
}
const sessionOver = new Set<string>([messages.tokenNotValid, messages.tokenExpired])

export const saysSessionIsOver = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 401 && sessionOver.has(error.message)

/** Does again, after a new sign-in or a proof, what was refused for want of it: nothing of it was done. */
async function inSession<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const what = saysSessionIsOver(error) ? 'sign-in' : codeOf(error) === 'proof_needed' && 'proof'
    if (!what || !(await ownerAsked(what))) throw error
    return await work()
  }
}

async function failureOf(response: Response): Promise<ApiError> {
  const parsed = Failure.safeParse(await response.json().catch(() => null))
  const message = parsed.data?.message ?? `HTTP ${response.status} ${response.statusText}`.trim()
  const retryAfter = Number(response.headers.get('retry-after') ?? 'none')
  return new ApiError(
    response.status,
    message,
    parsed.data?.errors,
    Number.isFinite(retryAfter) ? retryAfter : null,
    parsed.data?.file,
  )
}

/** Loads with the first upload that shows its progress. If loading fails, the server is unreachable. */
const importUpload = () => import('./fetch-with-progress.ts')

/**
 * What the browser asked for before the scripts came (Console.firstRequests of the server), as patterns: each answer is used once, and not when it has
 * become old.
 */
const asked = new Set(document.querySelector<HTMLMetaElement>('meta[name=early]')?.content.split(' '))
const askedWithinMs = 15_000

/** The address in the form in which it was asked for already. Null: it was not. */
function askedEarly(address: string, owner: number): string | null {
  if (performance.now() > askedWithinMs) return null
  for (const pattern of asked) {
    const [path = '', query = ''] = (basePath + pattern).replace(':userId', String(owner)).split('?')
    const [askedPath = '', askedQuery = ''] = address.split('?')
    if (query !== askedQuery || !isLike(path.split('/'), askedPath.split('/'))) continue
    asked.delete(pattern)
    return pattern.includes(':userId') ? address : `${address}?pageOwner=${owner}`
  }
  return null
}

const isLike = (pattern: string[], path: string[]) =>
  pattern.length === path.length && pattern.every((part, i) => part.startsWith(':') || part === path[i])

type Sending = RequestInit & { owner?: number | null; onProgress?: ((share: number) => void) | undefined }

/** Every request of the console. It names the page's account, so that nothing is done by another one that has signed in elsewhere. */
async function send(address: string, { owner = pageOwner(), onProgress, ...init }: Sending): Promise<Response> {
  try {
    const { body } = init
    const headers = new Headers(init.headers)
    const early = owner !== null && init.method === undefined ? askedEarly(address, owner) : null
    // The browser takes the answer that it has only for the same request.
    if (owner !== null && early === null) headers.set(pageOwnerHeader, String(owner))
    const response =
      onProgress && body instanceof FormData
        ? await (await importUpload()).fetchWithProgress(address, { ...init, headers, body }, onProgress)
        : await fetch(early ?? address, { ...init, headers, credentials: 'same-origin' })
    if (!response.ok) throw await failureOf(response)
    if (response.status !== 200) throw new ApiError(response.status, messages.noData) // specification 1 §7
    return response
  } catch (error) {
    noteOtherAccount(error, (init.method ?? 'GET') !== 'GET')
    if (error instanceof ApiError || init.signal?.aborted) throw timedOut(error) ?? error
    throw new ApiError(0, ownFailures.unreachable)
  }
}

function timedOut(error: unknown): ApiError | null {
  return error instanceof DOMException && error.name === 'TimeoutError' ? new ApiError(0, ownFailures.timedOut) : null
}

async function parsed<R extends Route>(route: R, response: Response): Promise<ReplyOf<R>> {
  const reply = z.safeParse(route.reply, await response.json().catch(() => undefined))
  if (reply.success) return reply.data as ReplyOf<R>
  const failure = new ApiError(response.status, ownFailures.notUnderstood)
  failure.cause = reply.error // users cannot act on a validator's lines
  throw failure
}

function withDeadline(signal: AbortSignal | undefined): AbortSignal {
  const deadline = AbortSignal.timeout(answerWithinMs)
  return signal ? AbortSignal.any([signal, deadline]) : deadline
}

function multipart(fields: [string, unknown][], files: Record<string, File | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of fields)
    form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const [name, file] of Object.entries(files)) if (file) form.append(name, file)
  return form
}

/** Requests a file without reading it; throws the server's refusal. */
export async function askFor(address: string): Promise<void> {
  const begun = new AbortController()
  await inSession(() => send(address, { signal: withDeadline(begun.signal) }))
  begun.abort()
}

type CallOptions<R extends Route> = { files?: FilesOf<R>; signal?: AbortSignal; onProgress?: (share: number) => void }

/**
 * Calls a json or upload route; throws ApiError. Uploads have no deadline; `onProgress` gets the share sent, from 0 to 1. Retries what the
 * account had too much of, and never as another account, should the page have another one by then.
 */
export function call<R extends CallRoute>(route: R, sent: SentOf<R>, more: CallOptions<R> = {}): Promise<ReplyOf<R>> {
  const owner = pageOwner()
  return inSession(() => retryWhileBusy(() => callOnce(route, sent, { ...more, owner }), more.signal))
}

async function callOnce<R extends CallRoute>(
  route: R,
  sent: SentOf<R>,
  { owner, ...more }: CallOptions<R> & { owner: number | null },
): Promise<ReplyOf<R>> {
  const { path, rest } = addressOf(route, sent)
  if (route.method === 'GET') {
    return parsed(route, await send(withQuery(path, rest), { owner, signal: withDeadline(more.signal) }))
  }
  const body = route.kind === 'upload' ? multipart(rest, more.files ?? {}) : JSON.stringify(Object.fromEntries(rest))
  const same = wordsOf(`${route.method} ${path}`, rest, more.files ?? {})
  const key = unanswered.get(same) ?? freshKey()
  unanswered.set(same, key)
  const headers: Record<string, string> = { 'idempotency-key': key }
  if (typeof body === 'string') headers['content-type'] = 'application/json'
  const signal = route.kind === 'upload' ? (more.signal ?? null) : withDeadline(more.signal)
  try {
    const { onProgress } = more
    const response = await send(path, { method: route.method, body, headers, signal, owner, onProgress })
    unanswered.delete(same)
    return await parsed(route, response)
  } catch (error) {
    if (isSettled(error)) unanswered.delete(same)
    throw error
  }
}

/** One page of a list, with what the headers say (docs/api.md#lists). */
export async function list<R extends ListRoute>(
  route: R,
  sent: SentOf<R>,
  more: { query?: ListQuery; signal?: AbortSignal } = {},
): Promise<Page<RowOf<R>, BesideOf<R>>> {
  const { path, rest } = addressOf(route, sent)
  const query = Object.entries(more.query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  const response = await inSession(() =>
    send(withQuery(path, [...rest, ...query]), { signal: withDeadline(more.signal) }),
  )
  const { rows, beside } = partsOf(route, await parsed(route, response))
  const total = Number(response.headers.get('x-total-count') ?? 'none')
  return {
    rows,
    beside,
    total: Number.isFinite(total) ? total : rows.length,
    exact: response.headers.get('x-total-exact') !== 'false',
    truncated: response.headers.get('x-truncated') === 'true',
    searchedTo: response.headers.get('x-searched-to') ?? undefined,
    archivedTo: response.headers.get('x-archived-to') ?? undefined,
  }
}

/** The contract says where the rows are, and the reply was checked against it. */
function partsOf<R extends ListRoute>(route: R, reply: ReplyOf<R>): { rows: RowOf<R>[]; beside: BesideOf<R> } {
  if (route.rowsIn === undefined) return { rows: reply as RowOf<R>[], beside: {} as BesideOf<R> }
  const { [route.rowsIn]: rows, ...beside } = reply as Record<string, unknown>
  return { rows: rows as RowOf<R>[], beside: beside as BesideOf<R> }
}
