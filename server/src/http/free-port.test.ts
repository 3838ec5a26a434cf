import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { requireFreePort } from './free-port.ts'

test('a port that is taken is named, with what to do', async () => {
  const host = '127.0.0.1'
  const other = createServer().listen({ host, port: 0 })
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await expect(requireFreePort({ host, port })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is taken, by another Ghanti or another program: end that, or choose a port, as in PORT=${port + 1} npm start`,
  )
  other.close()
  await once(other, 'close')
})

test('a port that is free is left free', async () => {
  await requireFreePort({ host: '127.0.0.1', port: 0 })
})
