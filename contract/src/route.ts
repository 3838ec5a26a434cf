import * as z from 'zod/mini'
import { fieldsOf, type FieldsOf, type Filters } from './filters.ts'
import { OneLine, Search, wireInt } from './values.ts'

type Method = 'GET' | 'POST' | 'DELETE'

/**
 * One file field of a multipart route. `orText`: a text as long as a file, which may also be a plain form field or in a JSON body. It is
 * written to disk like a file.
 */
export type FileField = { maxBytes: number; required: boolean; orText?: true }

/**
 * What server and web agree on about one call.
 *
 * `input` combines what the caller sends: path parameters (`:x` in `path`), then the query on GET, then the body.
 * Before parsing, '' and null count as absent, and JSON text is accepted where the schema says `jsonOr`.
 *   json    replies with `reply`
 *   list    replies with an array of `row` and totals in headers (docs/api.md#lists); takes ListQuery besides `input`;
 *           where a specification wants an object, the rows are its field `rowsIn`
 *   upload  multipart: `files` are staged on disk up to their limits, other fields are `input`; replies with `reply`
 *   file    replies with bytes (range requests, CSV exports)
 *   events  replies with a stream of server-sent events
 */
export type Route = {
  method: Method
  path: string
  kind: 'json' | 'list' | 'upload' | 'file' | 'events'
  input: z.ZodMiniType
  reply: z.ZodMiniType
  files: Readonly<Record<string, FileField>>
  /** The filters of a list or its export. They are fields of `input` too; unknown ones are refused. */
  filters: Filters
  /** Sort keys, the default first; '-' means descending. */
  sort: readonly string[]
  /** The field of the reply that holds the rows; absent: the reply is the array. */
  rowsIn?: string
}

const nothing = z.object({})
type Shape = z.core.$ZodLooseShape
type None = Record<never, never>

function filtered<S extends Shape, F extends Filters>(input: z.ZodMiniObject<S> | undefined, filters: F | undefined) {
  return z.extend(input ?? nothing, fieldsOf(filters ?? {})) as unknown as z.ZodMiniObject<S & FieldsOf<F>>
}

type JsonRoute<I extends z.ZodMiniType, R extends z.ZodMiniType, F extends Filters> = {
  method: Method
  path: string
  input?: I
  /** Filters that the console's filter bar offers; `input` has their fields. */
  filters?: F
  reply: R
}

export function json<R extends z.ZodMiniType, I extends z.ZodMiniType = typeof nothing, F extends Filters = None>(
  r: JsonRoute<I, R, F>,
) {
  return {
    kind: 'json',
    files: {},
    sort: [],
    ...r,
    filters: (r.filters ?? {}) as F,
    input: (r.input ?? nothing) as I,
  } as const satisfies Route
}

export function list<R extends z.ZodMiniType, S extends Shape = None, F extends Filters = None>(r: {
  path: string
  input?: z.ZodMiniObject<S>
  filters?: F
  row: R
  sort: readonly string[]
}) {
  return {
    kind: 'list',
    method: 'GET',
    files: {},
    path: r.path,
    sort: r.sort,
    filters: (r.filters ?? {}) as F,
    input: filtered(r.input, r.filters),
    reply: z.array(r.row),
  } as const satisfies Route
}

/** A list whose reply is an object with the rows in `rowsIn` and `beside` them what belongs to no row. */
export function listIn<
  Name extends string,
  Row extends z.ZodMiniType,
  S extends Shape,
  B extends Readonly<Record<string, z.ZodMiniType>>,
  F extends Filters = None,
>(r: {
  path: string
  input: z.ZodMiniObject<S>
  filters?: F
  rowsIn: Name
  row: Row
  beside: B
  sort: readonly string[]
}) {
  const { beside, row, ...route } = r
  const rows = { [r.rowsIn]: z.array(row) } as { [N in Name]: z.ZodMiniArray<Row> }
  return {
    kind: 'list',
    method: 'GET',
    files: {},
    ...route,
    filters: (r.filters ?? {}) as F,
    input: filtered(r.input, r.filters),
    reply: z.object({ ...beside, ...rows }),
  } as const satisfies Route
}

export function upload<
  R extends z.ZodMiniType,
  I extends z.ZodMiniType,
  F extends Readonly<Record<string, FileField>>,
>(r: { path: string; input: I; reply: R; files: F }) {
  return { kind: 'upload', method: 'POST', sort: [], filters: {}, ...r } as const satisfies Route
}

export function file<S extends Shape = None, F extends Filters = None>(r: {
  path: string
  input?: z.ZodMiniObject<S>
  filters?: F
}) {
  return {
    kind: 'file',
    method: 'GET',
    files: {},
    sort: [],
    path: r.path,
    filters: (r.filters ?? {}) as F,
    input: filtered(r.input, r.filters),
    reply: z.unknown(),
  } as const satisfies Route
}

export function events(r: { path: string }) {
  return {
    kind: 'events',
    method: 'GET',
    files: {},
    sort: [],
    filters: {},
    path: r.path,
    input: nothing,
    reply: z.unknown(),
  } as const satisfies Route
}

export type InputOf<R extends Route> = z.output<R['input']>
export type ReplyOf<R extends Route> = z.output<R['reply']>
export type RowOf<R extends Route> = R extends { rowsIn: infer Name extends string }
  ? ReplyOf<R> extends Record<Name, (infer Row)[]>
    ? Row
    : never
  : ReplyOf<R> extends (infer Row)[]
    ? Row
    : never
export type BesideOf<R extends Route> = R extends { rowsIn: infer Name extends string }
  ? Omit<ReplyOf<R>, Name>
  : Record<never, never>

/** Every list takes these. Without `page`, `pageSize` and `after`: the newest 10,000 rows. `pageSize` is at most 1,000. */
export const ListQuery = z.object({
  page: z.optional(wireInt(1, 10_000)),
  pageSize: z.optional(wireInt(1, 1000)),
  after: z.optional(
    OneLine({ error: 'must be text' }).check(z.maxLength(1000, { error: 'is longer than 1000 characters' })),
  ),
  sort: z.optional(
    OneLine({ error: 'must be text' }).check(z.maxLength(40, { error: 'is longer than 40 characters' })),
  ),
  order: z.optional(z.enum(['asc', 'desc'], { error: 'must be asc or desc' })),
  search: z.optional(Search),
  format: z.optional(z.literal('csv', { error: 'must be csv' })),
})
export type ListQuery = z.output<typeof ListQuery>
