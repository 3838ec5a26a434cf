import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { AriHttp } from '../ari/http.ts'
import { Legs } from './legs.ts'
import { Patching } from './patching.ts'

test('a bridge that ends by itself while a connection cleans up does not make the connection fail', async () => {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    if (method === 'GET') return response.end(JSON.stringify([{ id: 'left', name: 'ghanti', channels: [] }]))
    response.statusCode = 409
    return response.end('{"message":"Bridge not in Stasis application"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const http = new AriHttp({
    host: '127.0.0.1',
    port,
    user: 'u',
    secret: 's',
    certificate: null,
    media: { folder: '/nowhere' },
  })
  const nobody = (): void => undefined
  const legs = new Legs({
    emit: nobody,
    answered: nobody,
    ringing: nobody,
    ended: nobody,
    judged: (_leg, end) => end,
    gone: nobody,
    replyTo: async () => null,
    record: async () => new Map(),
  })
  const app = 'ghanti'
  const patching = new Patching({ app, http, legs, emit: nobody })
  try {
    await patching.removeOrphans()
  } finally {
    http.cut()
    server.close()
  }
  expect(asked).toEqual(['GET /ari/bridges', 'DELETE /ari/bridges/left'])
})
