import type { FieldError } from '../errors.ts'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { messages } from '@ghanti/contract/messages.ts'
import { mebibyte } from '@ghanti/contract/values.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import type { Db } from '../db/db.ts'
import { ping } from '../db/pool.ts'
import { consoleRoutes, type Console } from './pages/console.ts'
import { clientRoutes } from './pages/clients.ts'
import { docsRoutes } from './pages/docs.ts'
import { errorHandler, sendError } from './replies/error-reply.ts'
import { isShared, limitConnections } from './connections.ts'
import { EventStreams } from './events.ts'
import { gatewayCallbackRoute } from './gateway-callback.ts'
import { demoHostGuard, isHttps, refuseOddHeaders, securityHeaders } from './guards.ts'
import { mailboxRoute } from './pages/mailbox.ts'
import { metricsRoute } from './metrics.ts'
import { mount, type PartialHandlers } from './mount.ts'
import type { HttpPorts } from './ports.ts'
import { BodyPace } from './requests/body-pace.ts'
import { parseJson } from './requests/json.ts'
import { refuseShortPieces } from './requests/pieces.ts'
import { RefusalPace } from './requests/refusal-pace.ts'
import { takeTurn } from './turns.ts'

/** How long the server waits for requests in progress when it closes. */
const closeWithinMs = 3000

export type HttpOptions = {
  handlers: PartialHandlers
  ports: HttpPorts
  /** null: this process serves no console (tests, or `api` behind a file server). */
  console: Console | null
  checkReplies?: boolean
  /** For lists as files, whose statements may take long; null: that of the app. */
  exportsDb?: Db | null
  pace?: BodyPace
  refusals?: RefusalPace
}
/** The server for the API, files and console, not yet listening. `drain` makes /readyz fail, so that a load balancer stops sending requests. */
export async function createHttp(app: App, options: HttpOptions): Promise<{ http: FastifyInstance; drain(): void }> {
  const { config } = app
  const { handlers, ports, checkReplies = false, exportsDb = null } = options
  const { pace = new BodyPace(), refusals = new RefusalPace() } = options
  const http = Fastify({
    logger: false,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: mebibyte,
    requestTimeout: 5 * 60_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    frameworkErrors: (_error, _request, reply) => {
      const errors: FieldError[] = [{ field: 'path', code: 'unreadable', text: 'is not readable' }]
      sendError(reply.headers(securityHeaders), { status: 400, message: messages.badInput, errors })
    },
    rewriteUrl: (request) => withoutBase(request.url ?? '/', config.basePath),
  })
  const streams = new EventStreams()
  const state = { draining: false }
  const hostGuard = await demoHostGuard(() => ports.demoAccountExists())

  const isOfMany = isShared(config.trustProxy)
  limitConnections(http.server, {
    networkOf: (ip) => (isOfMany(ip) ? null : ports.placeOf(ip)[1]),
    onRefused: (refused) => app.log.warn(refused, 'a network has too many connections: more are closed at once'),
  })
  refuseShortPieces(http)
  await http.register(cookie)
  await http.register(multipart, { throwFileSizeLimit: false }) // uploads.ts asks `truncated`
  http.setErrorHandler(errorHandler(app.log))
  http.setNotFoundHandler((_request, reply) => nothingHere(reply))
  acceptEmptyJson(http)
  http.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders)
    if (isHttps(request, config.publicUrl)) reply.header('strict-transport-security', 'max-age=31536000')
    refuseOddHeaders(request)
    await hostGuard(request)
    if (request.is404) return nothingHere(reply) // without reading what a stranger sends
  })
  refusals.answerLate(http, (ip) => ports.placeOf(ip)[1])
  http.addHook('preClose', async () => {
    streams.endAll()
    // A client that stays silent, or never finishes reading, must not keep the process from exiting.
    setTimeout(() => http.server.closeAllConnections(), closeWithinMs).unref()
  })
  metricsRoute(http, app, ports)
  healthRoutes(http, app, ports, state)
  docsRoutes(http, app, ports)
  clientRoutes(http)
  mailboxRoute(http, app, ports)
  await gatewayCallbackRoute(http, ports)
  mount(http, { app, exportsDb: exportsDb ?? app.db, handlers, ports, streams, pace, refusals, checkReplies })
  if (options.console) {
    const brandOf = ({ hostname, ip }: FastifyRequest) =>
      takeTurn({ place: ports.placeOf(ip) }, () => ports.brandOfHost(hostname)).catch((error: unknown) => {
        app.log.error({ error, hostname }, 'the brand of this console could not be read')
        return null
      })
    consoleRoutes(http, { console: options.console, basePath: config.basePath, brandOf })
  }
  return { http, drain: () => (state.draining = true) }
}

function nothingHere(reply: FastifyReply): FastifyReply {
  return sendError(reply, { status: 404, message: messages.noData, errors: [] })
}

/** The API answers at the root as well as below BASE_PATH: there is one set of routes. */
function withoutBase(url: string, basePath: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest === '' ? '/' : /^[/?]/.test(rest) ? (rest.startsWith('/') ? rest : `/${rest}`) : url
}

/** Accepts an empty JSON body (docs/api.md#requests), and an empty body without a content type. */
function acceptEmptyJson(http: FastifyInstance): void {
  http.removeContentTypeParser(['application/json', 'text/plain'])
  const asText = { parseAs: 'string' } as const
  http.addContentTypeParser('application/json', asText, async ({ routeOptions }: FastifyRequest, body: string) =>
    body === '' ? undefined : parseJson(body, routeOptions.config.json),
  )
}

function healthRoutes(http: FastifyInstance, app: App, ports: HttpPorts, state: { draining: boolean }): void {
  http.get('/healthz', async () => ({ status: 'ok' }))
  http.get('/readyz', async (request, reply) => {
    if (state.draining) return reply.code(503).send({ status: 'draining' })
    try {
      await takeTurn({ place: ports.placeOf(request.ip) }, () => ping(app.db))
      return { status: 'ready' }
    } catch (error) {
      app.log.error({ error }, 'this process is not ready')
      return reply.code(503).send({ status: 'no database' })
    }
  })
}
