import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieJar } from './types.ts'

const names = ['token', 'userId', 'role'] as const

/** The raw token of a request, and the three cookies (DESIGN §5): `userId` and `role` are hints for the console, never read here. */
export function cookieJar(request: FastifyRequest, reply: FastifyReply): CookieJar & { fromCookie: boolean } {
  const bearer = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const cookie = request.cookies['token']
  const shared = { path: '/', sameSite: 'lax', secure: request.protocol === 'https' } as const
  return {
    token: bearer ?? cookie ?? null,
    fromCookie: bearer === undefined && cookie !== undefined,
    set(session) {
      const maxAge = session.maxAgeSeconds
      reply.setCookie('token', session.token, { ...shared, httpOnly: true, maxAge })
      reply.setCookie('userId', String(session.userId), { ...shared, maxAge })
      reply.setCookie('role', session.role, { ...shared, maxAge })
    },
    expire() {
      for (const name of names) reply.clearCookie(name, { ...shared, httpOnly: name === 'token' })
    },
  }
}
