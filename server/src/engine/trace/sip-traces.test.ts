import { expect, onTestFinished, test, vi } from 'vitest'
import { simulatedDialer, simulatedTrunk, temporaryFolder } from '../../drivers/telephony/simulator/testing.ts'
import { createSimulator } from '../../drivers/telephony/simulator/simulator.ts'
import { EventRecorder } from '../../drivers/telephony/event-recorder.ts'
import { polling } from '../../testing/timeouts.ts'
import { testChannel } from '../dial/channel-names.ts'
import { Switchboard } from '../dial/switchboard.ts'
import { engineDb } from '../testing/db.ts'
import { newFixtures } from '../testing/fixtures.ts'
import { SipTraces } from './sip-traces.ts'
import { SymptomCounter } from './symptom-counter.ts'

const at = await engineDb()

test('an operator’s Retry-After is obeyed from the end of the call where only its SIP messages show it', async () => {
  const folder = temporaryFolder()
  const simulator = createSimulator({ speed: 100, recordFolder: folder.path })
  onTestFinished(() => {
    simulator.close()
    folder.remove()
  })
  const dialer = simulatedDialer()
  const connection = await simulator.connect(dialer)
  const events = new EventRecorder(connection)
  await connection.setTrunks([simulatedTrunk])
  await simulator.control(dialer).setTrunkLimit(simulatedTrunk.name, { callsPerSecond: 0, retryAfterMs: 7000 })
  const { lease, line } = await newFixtures(at)
  const switchboard = new Switchboard()
  const pauses: unknown[][] = []
  const of = { pool: at.engine, lease, channelPrefix: 'one-', switchboard }
  const pause = (...asked: unknown[]) => pauses.push(asked)
  const traces = new SipTraces({ ...of, symptoms: new SymptomCounter(of), pause })
  const channelId = testChannel(of.channelPrefix, 1, 1_000_000 + line.trunkId)
  switchboard.addTest(channelId, line.trunkId)
  const request = { channelId, trunk: simulatedTrunk.name, cli: '015970001', number: '+9779841000150' }
  await connection.dial({ ...request, ringMs: 9000, talkMsMax: 9000, deadlineMs: 1000 })
  const begin = performance.now()
  const { retryAfterMs: _, ...end } = await events.next('hungUp', channelId)
  traces.ended(end)
  const ended = performance.now()
  await vi.waitFor(async () => {
    await traces.round(connection)
    expect(pauses).toEqual([[line.trunkId, 7000, expect.any(Number)]])
  }, polling)
  expect(pauses[0]?.[2]).toBeGreaterThanOrEqual(begin)
  expect(pauses[0]?.[2]).toBeLessThanOrEqual(ended)
})
