import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Suite } from '../../suite-bench.ts'
import { openBench, operatorTrunk } from '../testing.ts'
import { polling } from '../../../../testing/timeouts.ts'

/** It waits until Asterisk has given up; trunks.test.ts has a peer that never answers OPTIONS. */
const exhaustive = { tags: ['exhaustive'] }

let suite: Suite
beforeAll(async () => {
  suite = await openBench('states')
  return async () => {
    await suite.connection.setTrunks([])
    await suite.connection.close()
  }
})
afterAll(() => suite.fixture.close())

const stateOf = async (name: string) =>
  (await suite.connection.trunkStates()).find((trunk) => trunk.name === name) ?? null

/** Answers OPTIONS, and refuses every call with 503. */
async function busyPeer() {
  const socket = createSocket('udp4')
  socket.on('message', (packet, from) => {
    const [first = '', ...lines] = String(packet).split('\r\n')
    const kept = lines.filter((line) => /^(Via|From|To|Call-ID|CSeq):/i.test(line))
    const status = first.startsWith('OPTIONS ')
      ? '200 OK'
      : first.startsWith('INVITE ')
        ? '503 Service Unavailable'
        : null
    const answer = [`SIP/2.0 ${status}`, ...kept, 'Content-Length: 0', '', ''].join('\r\n')
    if (status) socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, end: () => socket.close() }
}

test(
  'when a peer stops answering OPTIONS, that becomes the trunk’s last failure, whatever its calls met before',
  exhaustive,
  async () => {
    const peer = await busyPeer()
    await suite.connection.setTrunks([operatorTrunk('falls silent', { port: peer.port })])
    await expect.poll(async () => (await stateOf('falls silent'))?.reachable, polling).toBe(true)
    const channelId = await suite.call('46', { trunk: 'falls silent' })
    const end = await suite.events.next('hungUp', channelId)
    expect(await stateOf('falls silent')).toMatchObject({
      lastFailure: { at: end.at, reason: '503: it takes no calls now' },
    })
    peer.end()
    await expect.poll(async () => (await stateOf('falls silent'))?.reachable, polling).toBe(false)
    const lost = await stateOf('falls silent')
    expect(lost?.lastFailure?.reason).toBe(`trunk falls silent: 127.0.0.1:${peer.port} does not answer OPTIONS`)
    expect(lost?.lastFailure?.at).toBeGreaterThan(end.at)
    expect((await stateOf('falls silent'))?.lastFailure).toEqual(lost?.lastFailure)
  },
)

test('a registration that the operator rejects is the trunk’s last failure with its time', async () => {
  const before = Date.now() - 1000
  const wrong = operatorTrunk('wrong', { user: 'line1', secret: 'another', registers: true })
  await suite.connection.setTrunks([wrong])
  await expect.poll(async () => (await stateOf('wrong'))?.registered, polling).toBe('rejected')
  const { lastFailure } = (await stateOf('wrong')) ?? {}
  expect(lastFailure?.reason).toBe('trunk wrong: the operator rejects its registration')
  expect(lastFailure?.at).toBeGreaterThan(before)
})
