// @module-tag exhaustive
/** Call Now over Asterisk to SIPp: first the agent, then the customer; who hangs up, what each leg costs, and what the recording contains. */
import * as fs from 'node:fs/promises'
import { connectFlow } from '@ghanti/callflow/flow.ts'
import { expect, test } from 'vitest'
import { expectSoundFiles, newCampaign, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { attemptsOf, byNumber, callsIn, expectNothingLeft } from './call-log-checks.ts'
import { secondsOfSound } from './heard.ts'
import { agentNumber, sipBench, skewMs } from './testing.ts'

/** How late SIPp may note on a full machine what another SIPp has noted. */
const observersMs = 100

const at = await sipBench()

/** 37 speaks and hangs up after 10 s; 99 is silent until it is hung up on; 01 is busy. */
const calls = [
  { what: 'the agent speaks and hangs up', agent: agentNumber('37'), customer: 9_779_800_000_199 },
  { what: 'the customer speaks and hangs up', agent: '+9779800000299', customer: 9_779_800_000_337 },
  { what: 'the customer is busy', agent: agentNumber('55'), customer: 9_779_800_000_401 },
] as const

async function begun(
  { user, line }: Fixtures,
  { agent, customer }: { agent: string; customer: number },
): Promise<number> {
  const flow = connectFlow({ agent, customer: `+${customer}` })
  const of = { user, line, flow, phones: [customer], retries: 0, reservePaisa: 1000, status: 'paused' as const }
  const id = await newCampaign(at, of)
  const isOwn = { is_test: true, is_call_now: true, ring_seconds: 25, status: 'ready' as const }
  await at.db.updateTable('campaign').set(isOwn).where('id', '=', id).execute()
  return id
}

async function soundOf(attemptId: number): Promise<number> {
  const recorded = () => at.db.selectFrom('recording').select('file_hash').where('attempt_id', '=', attemptId).execute()
  await at.until('the recording is brought', async () => (await recorded()).length === 1)
  const [row] = await recorded()
  return secondsOfSound(await fs.readFile(await at.files.pathOf(row?.file_hash ?? '')))
}

test('both legs are called in turn and joined, whoever hangs up ends the call, and the recording has the voice of each', async () => {
  const fixtures = await at.fixtures({ cps: 10, channels: 50 })
  const ids = await Promise.all(calls.map((call) => begun(fixtures, call)))
  at.dial()
  const over = () => at.db.selectFrom('campaign').select('id').where('status', '=', 'complete').execute()
  await at.until('all are over', async () => (await over()).length === ids.length)
  const attempts = await attemptsOf(at, ids)
  const of = (n: number) => {
    const one = attempts.find(({ campaign_id: id }) => id === ids[n])
    if (!one) throw new Error(`no attempt: ${calls[n]?.what}`)
    return one
  }
  const [byAgent, byCustomer, busy] = [of(0), of(1), of(2)]
  expect(attempts).toHaveLength(calls.length)
  for (const one of attempts) expect(one).toMatchObject({ kind: 'callNow', uncollected_paisa: 0 })
  expect([byAgent, byCustomer, busy].map((one) => one.disposition)).toEqual(['ANSWER', 'ANSWER', 'BUSY'])
  // The agent's ten seconds begin before the customer's telephone rings.
  expect(byAgent.patch_bill_ms).toBeGreaterThan(10_000 - skewMs)
  expect(byAgent.bill_ms).toBeLessThan(byAgent.patch_bill_ms ?? 0)
  expect(byCustomer.bill_ms).toBeGreaterThan(10_000 - skewMs)
  expect(byCustomer.patch_bill_ms).toBeGreaterThan(byCustomer.bill_ms ?? 0)
  expect([busy.bill_ms, busy.recording]).toEqual([null, null])
  expect(busy.patch_bill_ms).toBeGreaterThan(0)
  expect(await soundOf(byAgent.id), 'the agent is heard').toBeGreaterThan(2)
  expect(await soundOf(byCustomer.id), 'the customer is heard').toBeGreaterThan(5)
  const heard = byNumber(callsIn([...at.sipp.operator.log(), ...at.sipp.agents.log()]))
  for (const { what, agent, customer } of calls) {
    const [first, second] = [heard.get(agent.slice(1)), heard.get(String(customer))]
    expect([what, first?.length, second?.length]).toEqual([what, 1, 1])
    expect(second?.[0]?.at, 'the customer is called when the agent has answered').toBeGreaterThanOrEqual(
      (first?.[0]?.answeredAt ?? Infinity) - observersMs,
    )
  }
  await expectSoundFiles(at)
  await expectNothingLeft(at)
}, 240_000)
