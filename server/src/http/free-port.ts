import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from '../lib/error-code.ts'

type Place = { host: string; port: number }

/** Throws a readable error when the port is already in use, so that nobody waits half a minute for a start that is bound to fail. */
export async function requireFreePort({ host, port }: Place): Promise<void> {
  const probe = createServer().listen({ host, port, exclusive: true })
  try {
    await once(probe, 'listening')
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw error
    throw new Error(
      `port ${port} of ${host} is taken, by another Ghanti or another program: end that, or choose a port, as in PORT=${port + 1} npm start`,
      { cause: error },
    )
  }
  probe.close()
  await once(probe, 'close')
}
