import { finished } from 'node:stream'
import type { Route } from '@ghanti/contract/route.ts'
import type { RouteKey } from '@ghanti/contract/routes.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { AppError, badField } from '../../errors.ts'
import { workOf } from '../../limited-routes.ts'
import { authorize, policy, type Viewer } from '../../policy.ts'
import { isHttps, requireOwnPage, requireSameOrigin } from '../guards.ts'
import { needsProof, requireProof } from '../../policy-proof.ts'
import type { HttpPorts } from '../ports.ts'
import { asksForCsv } from '../replies/list-csv.ts'
import { lookUpSession, type Place, type Turn } from '../turns.ts'
import type { CookieJar, Origin } from '../types.ts'
import { cookieJar } from './cookies.ts'
import type { RefusalPace } from './refusal-pace.ts'

/** What was decided about a request before its body was read. */
export type Admitted = {
  viewer: Viewer | null
  origin: Origin
  cookies: CookieJar
  /** What is read becomes a file, so its statements may take long. */
  isExport: boolean
  /** Whose turn the work on it takes; null where it waits in a queue of its own. */
  turn: Turn | null
}

/** More than any call takes. Each parameter that is not known would be an error in the answer. */
const parametersMax = 256

/** Where the counted work of a request begins. It ends when the reply was sent, which takes as long as its reader does, or nobody reads it any more. */
export async function admit(
  { app, ports, refusals }: { app: App; ports: HttpPorts; refusals: RefusalPace },
  { key, route }: { key: RouteKey; route: Route },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admitted> {
  requireFewParameters(request)
  const cookies = cookieJar(request, reply, { secure: isHttps(request, app.config.publicUrl) })
  const place = ports.placeOf(request.ip)
  const isPublic = policy[key] === 'public'
  const isCsv = asksForCsv(route, request.query)
  let viewer: Viewer | null = null
  try {
    requireSameOrigin(request, cookies.fromCookie, app.config.publicUrl)
    const { token } = cookies
    viewer = await lookUpSession({ token, place }, () => viewerOf(ports, { token, ip: request.ip, isPublic }))
    if (viewer) {
      refusals.isOf(request, viewer.userId)
      if (viewer.key) await ports.admitKey(viewer, viewer.key, request.ip)
      requireOwnPage(request, viewer)
      authorize(viewer, key)
      if (needsProof(key, isCsv)) requireProof(viewer, await ports.proofMinutes(), app.clock.now())
    }
    const work = workOf(key, route, { isCsv, isStranger: viewer === null })
    if (work !== null) finished(reply.raw, await begin(app, work, viewer, place))
    const origin = { ip: request.ip, host: request.hostname, userAgent: request.headers['user-agent'] ?? '' }
    return { viewer, origin, cookies, isExport: work === 'exports', turn: turnOf(app, work, viewer, place) }
  } catch (error) {
    noteRefusal(app, key, { viewer, cookies, ip: request.ip }, error)
    throw error
  }
}

/** A session that ended takes its cookies with it, and what is not allowed leaves a line in the log. */
export function noteRefusal(
  { log }: App,
  route: RouteKey,
  { viewer, cookies, ip }: { viewer: Viewer | null; cookies: CookieJar; ip: string },
  error: unknown,
): void {
  if (!(error instanceof AppError)) return
  if (error.code === 'token_not_valid' || error.code === 'token_expired') cookies.expire()
  if (error.code === 'not_allowed') log.warn({ route, userId: viewer?.userId ?? null, ip }, 'a request was not allowed')
}

type Work = NonNullable<ReturnType<typeof workOf>>

function begin({ workLimits, db }: App, work: Work, viewer: Viewer | null, [, network]: Place): Promise<() => void> {
  const isCounted = viewer && !workLimits.isByNetwork(work)
  return isCounted ? workLimits.begin(db, work, viewer.userId) : workLimits.beginOfNetwork(work, network)
}

function turnOf({ workLimits }: App, work: Work | null, viewer: Viewer | null, place: Place): Turn | null {
  const turn = work === null ? 'request' : workLimits.turnOf(work)
  if (turn === 'own') return null
  return viewer ? { account: viewer.userId, composing: turn === 'composing', sending: turn === 'sending' } : { place }
}

function requireFewParameters({ raw: { url = '' } }: FastifyRequest): void {
  const query = url.indexOf('?')
  const parameters = query < 0 ? 0 : url.slice(query).split('&', parametersMax + 1).length
  if (parameters > parametersMax) throw badField('query', `has more than ${parametersMax} parameters`, 'too_many')
}

type Shown = { token: string | null; ip: string; isPublic: boolean }

/** On a public route, a visitor whose session has ended counts as having none. A key from elsewhere is a stranger's, whose requests are not its account's. */
async function viewerOf({ viewerOfToken }: HttpPorts, { token, ip, isPublic }: Shown): Promise<Viewer | null> {
  if (!isPublic) return viewerOfToken(token, ip)
  if (token === null) return null
  return viewerOfToken(token, ip).catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })
}
