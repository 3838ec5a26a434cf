import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import type { Suite } from '../../suite-bench.ts'
import { newNumber, openBench, operatorTrunk, replyTo } from '../testing.ts'

/** What it says to an INVITE before it resets the connection. */
let says: string | null = null
let suite: Suite

/** An operator over TCP whose connection breaks at every call. */
const operator = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (packet) => {
    const request = String(packet)
    if (!request.startsWith('INVITE ')) return
    if (says !== null) socket.write(replyTo(request, says))
    setTimeout(() => socket.resetAndDestroy(), 100)
  })
})

beforeAll(async () => {
  operator.listen(0, '127.0.0.1')
  await once(operator, 'listening')
  const { port } = operator.address() as AddressInfo
  suite = await openBench('broken')
  const options = { ...plainSipOptions, sendsOptions: false }
  await suite.connection.setTrunks([operatorTrunk('breaking', { port, transport: 'tcp', options })])
})
afterAll(async () => {
  await suite.connection.setTrunks([])
  await suite.connection.close()
  await suite.fixture.close()
  operator.close()
})

async function endOf(said: string | null) {
  says = said
  const channelId = await suite.call('46', { trunk: 'breaking', number: newNumber('46') })
  return await suite.events.next('hungUp', channelId)
}

test.each([{ said: null }, { said: '100 Trying' }, { said: '180 Ringing' }])(
  'a connection that breaks after $said is no refusal by the operator, but a network out of order',
  async ({ said }) => {
    const alerted = said === '180 Ringing'
    expect(await endOf(said)).toMatchObject({ endedBy: 'network', sipStatus: null, cause: 38, alerted })
    const [trunk] = await suite.connection.trunkStates()
    expect(trunk?.lastFailure?.reason).toBe('the network is out of order')
  },
)

test('503 that the operator said before its connection broke is its own', async () => {
  expect(await endOf('503 Service Unavailable')).toMatchObject({ endedBy: 'network', sipStatus: 503, cause: 34 })
})
