import { otherAccountCode, pageOwnerHeader, signedInAs } from '@ghanti/contract/page-owner.ts'
import type { FastifyRequest } from 'fastify'
import { AppError, badField, conflict } from '../errors.ts'
import type { Viewer } from '../policy.ts'

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

/** Host names that always refer to this machine. */
export function isLocalHost(host: string): boolean {
  return localHosts.has(host)
}

/** localhost, or a name below it, which browsers never look up: there the demo shows the brands of accounts. */
function isLocalName(host: string): boolean {
  return isLocalHost(host) || host.endsWith('.localhost')
}

function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, '')
}

/** A proxy or tunnel on this machine sets these headers when it forwards a stranger's request, which would otherwise look local. */
function proxyHeaderOf(request: FastifyRequest): string | undefined {
  return Object.keys(request.headers).find((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
}

/**
 * While a demo account exists, everybody knows the passwords. So only this machine may connect, through no proxy, and by a host name that no web page
 * elsewhere can point at it. Demo accounts never return once they are gone, so the database is asked again only before a refusal.
 */
export async function demoHostGuard(
  demoAccountExists: () => Promise<boolean>,
): Promise<(request: FastifyRequest) => Promise<void>> {
  let demo = await demoAccountExists()
  return async (request) => {
    const proxyHeader = proxyHeaderOf(request)
    const isHere = proxyHeader === undefined && isLocalName(hostName(request.host))
    if (!demo || isHere) return
    demo = await demoAccountExists()
    if (!demo) return
    const text = `${proxyHeader === undefined ? 'must be localhost, a name below it, or 127.0.0.1' : 'shows that the request came through a proxy or tunnel, which is refused'} while demo accounts exist; \`npm run admin -- create-super-admin\` removes them`
    throw new AppError('not_allowed', [{ field: proxyHeader ?? 'Host', code: 'demo', text }])
  }
}

/**
 * Headers that mean one thing. Of two, a proxy may go by the one and this process by the other: Node keeps the first of some and joins others.
 */
const singleHeaders = [
  'Host',
  'Origin',
  'Authorization',
  'Cookie',
  'Content-Type',
  'Content-Length',
  'Idempotency-Key',
  'Range',
  'If-Range',
  'If-None-Match',
]
const singleByName = new Map(singleHeaders.map((name) => [name.toLowerCase(), name]))

/** A proxy adds its own at the end, and some versions of Node leave out what is beyond two thousand: of too many, the last may be missing. */
const headersMax = 200

export function refuseOddHeaders({ raw: { rawHeaders } }: FastifyRequest): void {
  if (rawHeaders.length > 2 * headersMax) throw badField('headers', `are more than ${headersMax}`, 'too_many')
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = singleByName.get(rawHeaders[at]?.toLowerCase() ?? '')
    if (name !== undefined && seen.has(name)) throw badField(name, 'is there twice', 'twice')
    if (name !== undefined) seen.add(name)
  }
}

/**
 * This depends on the installation's public address as well as on the request: through a proxy that is not in TRUST_PROXY,
 * a request looks like plain HTTP.
 */
export function isHttps(request: FastifyRequest, publicUrl: string): boolean {
  return request.protocol === 'https' || publicUrl.startsWith('https:')
}

/**
 * State-changing requests with a session cookie need a same-origin Origin (docs/design.md#sessions); an Origin from elsewhere is always
 * refused. With an Authorization header the cookie is ignored, and no page elsewhere can know a token.
 */
export function requireSameOrigin(request: FastifyRequest, ridesOnCookie: boolean, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const { origin, authorization } = request.headers
  if (authorization !== undefined) return
  if (origin === undefined ? !ridesOnCookie : isSameOrigin(origin, request.host, publicUrl)) return
  throw new AppError('not_allowed', [
    { field: 'Origin', code: 'cross_origin', text: 'must be this server’s own address' },
  ])
}

function isSameOrigin(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || origin === new URL(publicUrl).origin
}

/** Refuses what a page of the console sends once another window has signed in as somebody else. Programs name no page. Browsers send no header of ours with an event stream, so its address names it. */
export function requireOwnPage({ headers, query }: FastifyRequest, { userId, username }: Viewer): void {
  const owner = headers['page-owner'] ?? (query as { pageOwner?: unknown }).pageOwner
  if (owner === undefined || owner === String(userId)) return
  throw conflict(pageOwnerHeader, signedInAs(username), otherAccountCode)
}

/** Allows inline styles, because Mantine writes style elements. */
const contentPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; " +
  "font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "

export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': `${contentPolicy}'none'`,
}

/** For files: the console opens a download in a frame, so that a refusal does not replace the page. */
export const fileHeaders: Readonly<Record<string, string>> = {
  'x-frame-options': 'SAMEORIGIN',
  'content-security-policy': `${contentPolicy}'self'`,
}
