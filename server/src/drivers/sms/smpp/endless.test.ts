/** Gateways that send without end: one takes a part of the process's time, and nothing under way waits for ever. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../clock.ts'
import { RecordedEvents, eventually } from '../testing-events.ts'
import { messageTo } from '../suite.ts'
import { encodePdu } from './codec.ts'
import { usualTimes, type Times } from './link.ts'
import { smppGateways } from './smpp.ts'
import { acceptance, RawPeer, receiptOf } from './testing-peer.ts'
import { settingsFor } from './testing.ts'

type Answer = Parameters<typeof RawPeer.listen>[0]

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function against(answer: Answer, { times: changed }: { times?: Partial<Times> } = {}) {
  const peer = await RawPeer.listen(answer)
  ends.push(() => peer.close())
  const recorded = new RecordedEvents()
  const times = { ...usualTimes, closeMs: 100, ...changed }
  const gateway = smppGateways(times)(settingsFor(peer), recorded, systemClock)
  ends.push(() => gateway.close())
  await eventually(() => gateway.state.bound)
  return { peer, recorded, gateway }
}

const accepts: Answer = ({ command, sequence }, socket) => {
  if (command === 'submit_sm') socket.write(acceptance(sequence, `id-${sequence}`))
}

/** Returns what ends it. */
function floodOf(peer: RawPeer, bytes: Buffer): () => void {
  const [socket] = peer.sockets
  const flood = Buffer.concat(Array.from({ length: Math.ceil(200_000 / bytes.length) }, () => bytes))
  const more = setInterval(() => {
    for (let goes = true; goes;) goes = socket?.writable === true && socket.write(flood)
  }, 1)
  return () => {
    clearInterval(more)
    socket?.destroy()
  }
}

/** As many as fit into one message, each unknown. */
function manyFields(): Buffer {
  const head = encodePdu('deliver_sm', { sequence: 1, short_message: Buffer.from('x') })
  const fields = Buffer.concat(Array.from({ length: 4000 }, () => Buffer.from('14000000', 'hex')))
  const whole = Buffer.concat([head, fields])
  whole.writeUInt32BE(whole.length, 0)
  return whole
}

test('a gateway that floods and never answers keeps no message under way longer than its time, the pauses apart', async () => {
  const { gateway, recorded, peer } = await against(() => undefined, { times: { answerMs: 1000 } })
  recorded.receipts = async () => await sleep(20) // reading pauses again and again, and is never paused for long
  const end = floodOf(peer, receiptOf(1, 'flood'))
  const began = performance.now()
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'unknown' })
  expect(performance.now() - began).toBeLessThan(10_000)
  end()
}, 30_000)

const leavesTime =
  'a gateway that sends %s without end leaves most of this process’s time to others, and is served again afterwards'
async function expectServed(_: string, bytes: Buffer): Promise<void> {
  const { gateway, peer } = await against(accepts)
  const end = floodOf(peer, bytes)
  await sleep(500)
  const before = performance.eventLoopUtilization()
  await sleep(2000)
  const { utilization } = performance.eventLoopUtilization(before)
  expect(utilization).toBeLessThan(0.8) // it was 1; the peer's own work is in it
  end()
  await eventually(() => peer.binds > 1 && gateway.state.bound)
  expect(await gateway.submit(messageTo('20'))).toMatchObject({ kind: 'accepted' })
}

test.each([['receipts', receiptOf(1, 'flood')]])(leavesTime, expectServed, 60_000)
test.each([
  ['answers to nothing', acceptance(0x7fff_0000, 'never')],
  ['acknowledgements of people', encodePdu('deliver_sm', { sequence: 1, esm_class: 0x20 })],
  ['bodies that cannot be read', Buffer.from('0000001400000005000000000000000800ffffff', 'hex')],
  ['thousands of optional fields', manyFields()],
])(leavesTime, { tags: ['exhaustive'], timeout: 60_000 }, expectServed)
