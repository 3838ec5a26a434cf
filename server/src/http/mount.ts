import assert from 'node:assert/strict'
import * as fs from 'node:fs/promises'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { jsonBoundsOf } from '@ghanti/contract/bounded-json.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { ListQuery, Route } from '@ghanti/contract/route.ts'
import { routes, type RouteKey } from '@ghanti/contract/routes.ts'
import { kibibyte, mebibyte } from '@ghanti/contract/values.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Db } from '../db/db.ts'
import { isOverTime } from '../db/in-time.ts'
import { isDatabaseUnreachable } from '../db/servers/unreachable.ts'
import { isGone } from '../drivers/files/driver.ts'
import type { App } from '../app.ts'
import { AppError, OutcomeUnknown, type FieldError } from '../errors.ts'
import { openWorkFolder } from '../lib/work-folder.ts'
import { policy } from '../policy.ts'
import type { BodyPace } from './requests/body-pace.ts'
import { admit, noteRefusal, type Admitted } from './requests/admission.ts'
import type { RefusalPace } from './requests/refusal-pace.ts'
import { notThere, sendError } from './replies/error-reply.ts'
import type { EventStreams } from './events.ts'
import { fileHeaders } from './guards.ts'
import { once } from './requests/idempotency.ts'
import { parseInput, parseListQuery, saidBy } from './requests/input.ts'
import { asksForCsv, listCsv } from './replies/list-csv.ts'
import type { HttpPorts } from './ports.ts'
import { sendFile } from './replies/send-file.ts'
import { sendPage } from './replies/send-page.ts'
import { readUpload } from './requests/uploads.ts'
import { takeTurn } from './turns.ts'
import type { AllHandlers, Ctx, FileReply, Page } from './types.ts'
import { watchReader } from './replies/reader.ts'

export type MountOptions = {
  app: App
  exportsDb: Db
  handlers: PartialHandlers
  ports: HttpPorts
  streams: EventStreams
  pace: BodyPace
  refusals: RefusalPace
  /** In tests, a reply that the contract does not describe is a bug. */
  checkReplies: boolean
}
/** Tests mount only the routes they call. */
export type PartialHandlers = { [Area in keyof AllHandlers]?: Partial<AllHandlers[Area]> }

/** Nothing that strangers send is longer: names, passwords, tokens of links. */
const publicBodyMax = 16 * kibibyte

/**
 * Repeating these is harmless: previews store nothing, what is shown once takes the place of what was shown before, and a key that nobody saw is
 * revoked. Their replies contain people's numbers, or secrets, so they are not kept for a repeated request.
 */
const notKept: ReadonlySet<RouteKey> = new Set([
  'voiceCampaigns.preview',
  'smsCampaigns.preview',
  'previewCalls.composed',
  'contacts.look',
  'repeats.next',
  'factors.beginTotp',
  'factors.makeRecovery',
  'keys.create',
  'keys.roll',
  'hooks.create',
  'hooks.rotate',
])

/** Whether its reply is kept, so that a request that is repeated under its Idempotency-Key is answered by it. */
export const keepsReply = (key: RouteKey, { method }: Route): boolean =>
  method !== 'GET' && !notKept.has(key) && policy[key] !== 'public'

type Fields = Readonly<Record<string, unknown>>
type Handler = (ctx: RequestCtx, input: unknown, third?: unknown) => Promise<unknown>
type RequestCtx = Admitted & { app: App; isGone: () => boolean }
type Mounted = { key: RouteKey; route: Route; handler: Handler }

/** Contract and handlers have the same names. Their types were checked where the handlers were written. */
function mounted(handlers: PartialHandlers): Mounted[] {
  return Object.entries(routes).flatMap(([area, ofArea]) =>
    Object.entries(ofArea).flatMap(([name, route]: [string, Route]) => {
      const areaHandlers = handlers[area as keyof AllHandlers] as Record<string, Handler> | undefined
      const handler = ownValue(areaHandlers, name)
      return handler ? [{ key: `${area}.${name}` as RouteKey, route, handler: handler.bind(areaHandlers) }] : []
    }),
  )
}

export function mount(http: FastifyInstance, options: MountOptions): void {
  const methodsOf = new Map<string, string[]>()
  for (const line of mounted(options.handlers)) {
    const { method, path: url } = line.route
    const place = url.replace(/:\w+/g, ':id') // each method may name the parameters differently
    methodsOf.set(place, [...(methodsOf.get(place) ?? []), method])
    const admitted = new WeakMap<FastifyRequest, Admitted>()
    http.route({
      method,
      url,
      bodyLimit: policy[line.key] === 'public' ? publicBodyMax : mebibyte,
      config: { json: jsonBoundsOf(line.route.input) },
      onRequest: async (request, reply) => {
        if (line.route.kind === 'file' || asksForCsv(line.route, request.query)) reply.headers(fileHeaders)
        admitted.set(request, await admit(options, line, request, reply))
      },
      handler: async (request, reply) => {
        const before = admitted.get(request)
        assert(before, 'a request that was not admitted')
        const app = before.isExport ? { ...options.app, db: options.exportsDb } : options.app
        const ctx = { ...before, app, isGone: () => request.raw.socket.destroyed }
        return await run(options, line, ctx, request, reply).catch((error: unknown) => {
          noteRefusal(options.app, line.key, { ...before, ip: request.ip }, error)
          throw error
        })
      },
    })
  }
  for (const [url, allowed] of methodsOf) refuseOthers(http, url, allowed)
}

/** Answers 405 to every other method on a known path, before the body is read. HEAD is allowed where GET is. */
function refuseOthers(http: FastifyInstance, url: string, allowed: readonly string[]): void {
  const text = `must be ${allowed.join(' or ')}`
  const errors: FieldError[] = [{ field: 'method', code: 'not_allowed', text }]
  const wire = { status: 405, message: messages.badInput, errors }
  const refuse = async (_request: FastifyRequest, reply: FastifyReply) =>
    sendError(reply.header('allow', allowed.join(', ')), wire)
  const method = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((other) => !allowed.includes(other))
  http.route({ method, url, onRequest: refuse, handler: refuse })
}

async function run(
  options: MountOptions,
  line: Mounted,
  ctx: RequestCtx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (line.route.kind === 'events') return await openEvents(options, line, ctx, request, reply)
  if (line.route.kind === 'upload') return reply.send(await runUpload(options, line, ctx, request, reply))
  return await runPlain(options, line, ctx, request, reply)
}

async function runPlain(
  options: MountOptions,
  line: Mounted,
  ctx: RequestCtx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { route } = line
  const handler = inTurn(line, ctx)
  const said = saidBy(route, request)
  const { input, errors } = parseInput(route, said)
  if (errors.length > 0) throw new AppError('bad_input', errors)
  if (route.kind === 'list') {
    const query = parseListQuery(route, request.query)
    if (query.format === 'csv') {
      const read = (of: ListQuery) => handler(input, of) as Promise<Page<unknown>>
      const { exported } = options.ports
      return sendDownload(options, ctx, request, reply, () =>
        listCsv(line.key, requireViewer(ctx), input as Fields, query, { exported, read }),
      )
    }
    const page = (await handler(input, query)) as Page<unknown> & { beside?: object }
    const body = route.rowsIn === undefined ? page.rows : { ...page.beside, [route.rowsIn]: page.rows }
    checkReply(options, line, body)
    return sendPage(reply, query, page, body)
  }
  if (route.kind === 'file') {
    return sendDownload(options, ctx, request, reply, () => handler(input) as Promise<FileReply>)
  }
  return reply
    .header('cache-control', 'no-store')
    .send(await answerOnce(options, line, ctx, request, reply, said, () => handler(input)))
}

/** The handler, which waits for its account's turn and keeps it until it has answered. What is sent afterwards, a file or a stream, keeps none. */
function inTurn({ handler }: Mounted, ctx: RequestCtx): (input: unknown, third?: unknown) => Promise<unknown> {
  const { turn } = ctx
  if (turn === null) return (input, third) => handler(ctx, input, third)
  return (input, third) => takeTurn(turn, () => handler(ctx, input, third))
}

function requireViewer({ viewer, ...ctx }: RequestCtx): Ctx {
  if (!viewer) throw new AppError('token_not_valid')
  return { ...ctx, viewer }
}

/** Every file counts as a download of its account until its last byte is sent, and is sent only while the session lasts. */
async function sendDownload(
  { ports }: MountOptions,
  ctx: RequestCtx,
  request: FastifyRequest,
  reply: FastifyReply,
  make: () => Promise<FileReply>,
): Promise<FastifyReply> {
  const { app, viewer } = ctx
  const send = async (): Promise<FastifyReply> => {
    const file = await make()
    watchReader(reply.raw, viewer ? () => isSignedIn(ports, ctx) : undefined)
    return sendFile(app.files, request, reply, file)
  }
  return viewer ? await app.workLimits.run(app.db, 'downloads', viewer.userId, send) : await send()
}

/** Stages files in a folder for this request, and removes it when the handler is done. */
async function runUpload(
  options: MountOptions,
  line: Mounted,
  ctx: RequestCtx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const folder = await openWorkFolder(ctx.app, 'uploads')
  try {
    const owner = ctx.viewer ? `account ${ctx.viewer.userId}` : `network ${options.ports.placeOf(request.ip)[1]}`
    const upload = await readUpload(line.route, request, folder, (bytes) => options.pace.take(owner, bytes))
    const said = saidBy(line.route, { params: request.params, query: {}, body: upload.fields })
    const { input, errors } = parseInput(line.route, said)
    const all = [...errors, ...upload.errors]
    if (all.length > 0) throw new AppError('bad_input', all)
    return await answerOnce(options, line, ctx, request, reply, [said, upload.digests], () =>
      inTurn(line, ctx)(input, upload.files),
    )
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}

/** The handler's validated reply or, under an Idempotency-Key, the first request's. Two requests are the same if their `said` is equal. */
async function answerOnce(
  options: MountOptions,
  line: Mounted,
  { app, viewer }: RequestCtx,
  request: FastifyRequest,
  reply: FastifyReply,
  said: unknown,
  handle: () => Promise<unknown>,
): Promise<unknown> {
  const { method } = line.route
  const mayHaveWritten = viewer && keepsReply(line.key, line.route)
  const work = async (): Promise<unknown> => {
    // Reading the session precedes the handler, so a database that was unavailable by then has already failed the request.
    const result = await handle().catch((error: unknown) => {
      if (isGone(error)) throw notThere(app.log, error, line.key)
      throw mayHaveWritten && (isDatabaseUnreachable(error) || isOverTime(error)) ? new OutcomeUnknown(error) : error
    })
    checkReply(options, line, result)
    return result
  }
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !mayHaveWritten) return work()
  const first = await once(app, { userId: viewer.userId, key, method, path: request.url, said }, work)
  reply.code(first.status)
  return first.reply
}

/** Whether the session still exists while an answer is being sent. While the database cannot be reached, nobody can have signed out. */
function isSignedIn({ viewerOfToken }: HttpPorts, { cookies }: RequestCtx): Promise<boolean> {
  return viewerOfToken(cookies.token).then(() => true, isDatabaseUnreachable)
}

async function openEvents(
  options: MountOptions,
  line: Mounted,
  ctx: RequestCtx,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { app } = options
  const owner = { accountId: ctx.viewer?.userId ?? 0, session: ctx.cookies.token ?? '' }
  const stream = options.streams.open(request, reply, owner, () => isSignedIn(options.ports, ctx))
  await line.handler(ctx, stream).catch((error: unknown) => {
    app.log.error({ error, route: line.key }, 'event stream failed')
    stream.response.end()
  })
  return reply
}

function checkReply(options: MountOptions, line: Mounted, reply: unknown): void {
  if (!options.checkReplies) return
  const parsed = z.safeParse(line.route.reply, reply)
  if (!parsed.success)
    throw new Error(`${line.key} answers what its contract does not say\n${z.prettifyError(parsed.error)}`)
}
