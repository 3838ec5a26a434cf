import type { Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../clock.ts'
import { RecordedEvents, eventually } from '../testing-events.ts'
import type { LateAnswer, SmsGateway } from '../driver.ts'
import { messageTo } from '../suite.ts'
import { encodePdu, type Pdu } from './codec.ts'
import { usualTimes } from './link.ts'
import { smppGateways } from './smpp.ts'
import { acceptance, RawPeer } from './testing-peer.ts'
import { settingsFor } from './testing.ts'

type Answer = (pdu: Pdu, socket: Socket) => void

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** A peer with this answer, and a gateway that waits half a second for it. */
async function against(answer: Answer) {
  const peer = await RawPeer.listen(answer)
  ends.push(() => peer.close())
  const times = { ...usualTimes, closeMs: 100, answerMs: 500 }
  const gateway: SmsGateway = smppGateways(times)(settingsFor(peer), new RecordedEvents(), systemClock)
  ends.push(() => gateway.close())
  await eventually(() => gateway.state.bound)
  return { peer, gateway }
}

test('a gateway that answers late leaves the message unknown, and its answer is reported once, with the id', async () => {
  const answer: Answer = ({ command, sequence }, socket) => {
    if (command !== 'submit_sm') return
    setTimeout(() => socket.write(acceptance(sequence, 'late')), 1500)
    setTimeout(() => socket.write(acceptance(sequence, 'later')), 1700)
  }
  const { gateway } = await against(answer)
  const late: LateAnswer[] = []
  const end = await gateway.submit(messageTo('20'), (one) => late.push(one))
  expect(end).toMatchObject({ kind: 'unknown', answered: false, ids: [] })
  expect(gateway.state.windowUsed).toBe(0)
  await eventually(() => gateway.state.lastError?.includes('answered 1 times what was not asked'))
  expect(late).toEqual([{ ids: ['late'], certain: true, refused: null }])
  expect(gateway.state.bound).toBe(true)
})

test('a late refusal says why, and one segment of three that is accepted late leaves the rest unsent', async () => {
  const answer: Answer = ({ command, sequence, fields }, socket) => {
    if (command !== 'submit_sm') return
    const isLong = Number(fields?.['esm_class']) !== 0
    const reply = isLong ? acceptance(sequence, 'one') : encodePdu('submit_sm_resp', { sequence, status: 0x0b })
    setTimeout(() => socket.write(reply), 1000)
  }
  const { gateway, peer } = await against(answer)
  const late = (text: string) =>
    new Promise<LateAnswer>((resolve) => void gateway.submit(messageTo('20', text), resolve))
  const [short, long] = await Promise.all([late('Namaste'), late('a'.repeat(400))])
  const why = 'the gateway refuses it: the number is not valid (0x0B)'
  expect(short).toEqual({ ids: [], certain: true, refused: why })
  const unsent = 'its first segment was answered too late, so the rest was not sent; 1 of 3 segments were accepted'
  expect(long).toEqual({ ids: ['one'], certain: true, refused: unsent })
  expect(peer.submits()).toHaveLength(2)
})

test('late answers to three segments are reported one by one, and the result is certain with the last', async () => {
  let submits = 0
  const answer: Answer = ({ command, sequence }, socket) => {
    if (command !== 'submit_sm') return
    submits += 1
    setTimeout(() => socket.write(acceptance(sequence, `id-${sequence}`)), submits === 1 ? 0 : 400 + 500 * submits)
  }
  const { gateway } = await against(answer)
  const late: LateAnswer[] = []
  const end = await gateway.submit(messageTo('20', 'a'.repeat(400)), (one) => late.push(one))
  expect(end).toMatchObject({ kind: 'unknown', answered: true })
  await eventually(() => late.length === 2)
  expect(late.map(({ ids, ...rest }) => ({ ...rest, ids: ids.length }))).toEqual([
    { certain: false, refused: null, ids: 1 },
    { certain: true, refused: null, ids: 1 },
  ])
})
