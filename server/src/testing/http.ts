import type { FastifyInstance } from 'fastify'
import { handlers } from '../handlers.ts'
import type { Console } from '../http/pages/console.ts'
import type { PartialHandlers } from '../http/mount.ts'
import type { HttpPorts } from '../http/ports.ts'
import { httpPortsOf } from '../http-ports.ts'
import type { BodyPace } from '../http/requests/body-pace.ts'
import { RefusalPace } from '../http/requests/refusal-pace.ts'
import { createHttp } from '../http/server.ts'
import type { Viewer } from '../policy.ts'
import type { TestApp } from './app.ts'
import { tokenOf } from './seed.ts'
import { atEndOfFile } from './cleanup.ts'

type TestHttpOptions = {
  handlers?: PartialHandlers
  console?: Console
  ports?: Partial<HttpPorts>
  pace?: BodyPace
  refusals?: RefusalPace
}

/** The real HTTP server of a test app: `http.inject(...)`, or `http.listen({ port: 0 })`. Replies are held against the contract. */
export async function testHttp(app: TestApp, options: TestHttpOptions = {}): Promise<FastifyInstance> {
  const { http } = await createHttp(app, {
    ports: { ...httpPortsOf(app), ...options.ports },
    handlers: options.handlers ?? handlers,
    console: options.console ?? null,
    ...(options.pace && { pace: options.pace }),
    refusals: options.refusals ?? new RefusalPace(Infinity), // most tests are refused far more often than people
    checkReplies: true,
  })
  atEndOfFile(() => http.close())
  await http.ready()
  return http
}

export async function signedIn(app: TestApp, viewer: Viewer): Promise<{ authorization: string }> {
  return { authorization: `Bearer ${await tokenOf(app, viewer.userId)}` }
}
