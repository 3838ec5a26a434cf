import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieJar } from '../types.ts'

const names = ['token', 'userId', 'role'] as const

/** The session's raw token. If there is an Authorization header, whatever it holds, the cookie is ignored. `requireSameOrigin` relies on this. */
export function tokenOf({ headers: { authorization }, cookies }: FastifyRequest): string | null {
  if (authorization === undefined) return cookies['token'] ?? null
  return /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? null
}

/**
 * The raw token of a request, and the session's three cookies (docs/design.md#sessions). `userId` and `role` are hints for the console and are
 * never read here. The fourth cookie, `device`, outlives sessions: it shows that the browser signed in before.
 */
export function cookieJar(
  request: FastifyRequest,
  reply: FastifyReply,
  { secure }: { secure: boolean },
): CookieJar & { fromCookie: boolean } {
  const token = tokenOf(request)
  const shared = { path: '/', sameSite: 'lax', secure } as const
  return {
    token,
    device: request.cookies['device'] ?? null,
    fromCookie: token !== null && request.headers.authorization === undefined,
    set(session) {
      const maxAge = session.maxAgeSeconds
      reply.setCookie('token', session.token, { ...shared, httpOnly: true, maxAge })
      reply.setCookie('userId', String(session.userId), { ...shared, maxAge })
      reply.setCookie('role', session.role, { ...shared, maxAge })
    },
    keepDevice(device, days) {
      reply.setCookie('device', device, { ...shared, httpOnly: true, maxAge: days * 24 * 3600 })
    },
    expire() {
      for (const name of names) reply.clearCookie(name, { ...shared, httpOnly: name === 'token' })
    },
  }
}
