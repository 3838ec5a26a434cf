import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { Servers } from './servers.ts'

/** A machine that takes connections, says nothing, and hangs up when the other side does. */
async function silent(): Promise<number> {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEndOfFile(() => server.close())
  return (server.address() as AddressInfo).port
}

test('a search for the primary ends although the last connection closes while servers are asked, and the next one begins anew', async () => {
  const ports = [await silent(), await silent()]
  const servers = Servers.of(`postgres://someone@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/ghanti`)
  const outcome = (search: Promise<unknown>) =>
    Promise.race([
      search.then(
        () => 'found',
        () => 'not found',
      ),
      sleep(10_000, 'never ended'),
    ])
  const searched = outcome(servers.primary())
  const [server] = servers.list
  if (!server) throw new Error('the URL names two servers')
  const last = { cut: () => {} }
  servers.opened(last, server)
  await sleep(200)
  servers.closed(last)
  expect(await searched).toBe('not found')
  expect(await outcome(servers.primary())).toBe('not found')
})
