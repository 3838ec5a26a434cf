/** Campaigns of all kinds with calls in progress, and how calls end, as a seed decides. */
import { dispositions } from '@ghanti/contract/campaign-status.ts'
import { randomOf, type Random } from '../../lib/random.ts'
import { callTextsOf } from '../../sms/testing/calls.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { releaseAgent, takeAgent } from '../model/campaigns/numbers.sql.ts'
import type { Outcome } from '../settle/settle.sql.ts'
import type { Queryable } from '../../dispatch/statement.ts'
import {
  agentsCall,
  claimed,
  newCampaign,
  newFixtures,
  outcome,
  phones,
  type EngineDb,
  type Fixtures,
  type NewCampaign,
} from './fixtures.ts'

const channels = 100_000
/** The second level pays more than the first, the third less than both; the last is free. */
const crooked = [
  { pulseMs: 60_000, pulsePaisa: 40 },
  { pulseMs: 1000, pulsePaisa: 3 },
  { pulseMs: 30_000, pulsePaisa: 11 },
  { pulseMs: 15_000, pulsePaisa: 0 },
]

const texts = [
  { occasion: 'success', key: null, minMs: 15_000, text: 'Thank you' },
  { occasion: 'fail', key: null, minMs: 0, text: 'We missed you, {name}' },
  { occasion: 'dtmf', key: '1', minMs: 0, text: 'You pressed one' },
  { occasion: 'dtmf', key: '2', minMs: 0, text: 'You pressed two, {name}' },
] as const

type Recorded = { fixtures: Fixtures; campaigns: number[]; byOperator: number }

/** Of `rows` rows each, of accounts two to five levels below the platform. */
export async function recordedCampaigns(at: EngineDb, rows: number): Promise<Recorded> {
  const fixtures = await newFixtures(at, { users: 3, resellers: 2 })
  const { user, users, reseller, top, line } = fixtures
  const deep = await newReseller(at, { parent: reseller, channels })
  const near = await newUser(at, { parent: top, channels, rupees: 1_000_000 })
  const far = await newUser(at, { parent: deep, channels, rupees: 1_000_000 })
  const other = users[1] ?? user
  const common = phones(rows)
  const compose = (of: Partial<NewCampaign>): Promise<number> =>
    newCampaign(at, { user, line, phones: phones(rows), retries: 3, retryMs: 1000, ...of })
  const byOperator = await compose({ user: far, prices: crooked, byOperator: true })
  const campaigns = [
    await compose({ phones: common }),
    await compose({ user: other, phones: common.toReversed() }), // the same numbers, by another account
    await compose({ user: near, prices: crooked }),
    await compose({ user: far, prices: crooked, reservePaisa: 60 }), // calls outlive their reservation
    await compose({ user: other, reservePaisa: 0, prices: [0, 1, 2].map(() => ({ pulseMs: 1000, pulsePaisa: 0 })) }),
    await compose({ phones: phones(rows, Math.floor(rows / 4)) }), // with followers
    byOperator,
    await withTexts(at, await compose({}), fixtures, 'running'),
    await withTexts(at, await compose({}), fixtures, 'cancelled'),
    await withOptions(at, await compose({ user: near })),
    await withOptions(at, await withTexts(at, await compose({}), fixtures, 'lowBalance')),
    await compose({ user: near }),
    await compose({ user: far, prices: crooked }),
  ]
  const [test, callNow] = campaigns.slice(-2)
  await at.pool.query('update campaign set is_test = true, is_call_now = id = $2 where id in ($1, $2)', [test, callNow])
  return { fixtures, campaigns, byOperator }
}

async function withTexts(
  at: EngineDb,
  campaignId: number,
  { user }: Fixtures,
  status: 'running' | 'cancelled' | 'lowBalance',
) {
  const smsId = await callTextsOf(at, { campaignId, user, texts, segments: [1, 2, null, 3] })
  await at.db.updateTable('sms_campaign').set({ status }).where('id', '=', smsId).execute()
  await at.pool.query(
    `insert into contact_value (campaign_id, no, vars) select campaign_id, no, jsonb_build_object('name', 'Sita ' || no)
     from campaign_contact where campaign_id = $1`,
    [campaignId],
  )
  return campaignId
}

async function withOptions(at: EngineDb, campaignId: number): Promise<number> {
  const options = (['success', 'fail', 'dtmf'] as const).map((occasion) => ({
    campaign_id: campaignId,
    occasion,
    address_sealed: occasion === 'dtmf' && campaignId % 2 === 0 ? null : 'sealed',
    host: `${occasion}.example.com`,
    answered_ms: occasion === 'success' ? 15_000 : 0,
  }))
  await at.db.insertInto('after_call_option').values(options).execute()
  return campaignId
}

/** Claims rows of each campaign; some calls then go over another trunk or to an agent. */
export async function recordedClaims(at: { engine: Queryable }, of: Recorded, rows: number, seed: number) {
  const { fixtures, campaigns, byOperator } = of
  const random = randomOf(seed, 'claims')
  const ids: number[] = []
  for (const campaignId of campaigns)
    for (const which of campaignId === byOperator ? [{ stream: 0 }, { stream: 1 }, { stream: 2 }] : [{}]) {
      const calls = await claimed(at, fixtures, campaignId, Math.ceil(rows * random()), which)
      for (const call of calls) {
        ids.push(call.id)
        await progress(at, fixtures, call.id, random)
      }
    }
  return ids
}

async function progress({ engine }: { engine: Queryable }, { lease }: Fixtures, id: number, random: Random) {
  const chance = random()
  const agent = 9_779_860_000_000 + Math.floor(random() * 40)
  const call = { id }
  if (chance < 0.1)
    await engine.query('update attempt_open set tried = array[98, 99], cli_id = cli_id + 1 where id = $1', [id])
  if (chance > 0.5)
    await engine.query("insert into attempt_step (attempt_id, answered_at, state) values ($1, '2026-11-30', '{}')", [
      id,
    ])
  if (chance <= 0.8) return
  const taken = await takeAgent(engine, lease, agent, agentsCall(call))
  if (taken === 'taken' && chance > 0.95)
    await releaseAgent(engine, lease, agent, { attemptId: id, counts: chance > 0.97 })
}

const lengths = [0, 1, 14_999, 15_000, 15_001, 60_000, 61_001, 3_600_000]
const trails = ['>end', 'welcome >end', 'welcome 1:2 >hangup', null]

function oneOf<T>(these: readonly T[], random: Random): T {
  const one = these[Math.floor(random() * these.length)]
  if (one === undefined) throw new Error('there is none')
  return one
}

/** How a call ends. One in thirty is told in a form that no table takes. */
function recordedOutcome(id: number, now: Date, random: Random): Outcome {
  const disposition = random() < 0.4 ? 'ANSWER' : oneOf(dispositions, random)
  const isAnswered = disposition === 'ANSWER'
  const isBad = random() < 1 / 30
  const unheard = isAnswered && random() < 0.1
  const at = random() < 0.2 ? null : new Date(now.getTime() - Math.floor(random() * 100_000))
  return outcome(
    { id },
    {
      disposition,
      startedAt: isBad && random() < 0.3 ? new Date(NaN) : at,
      answeredAt: isAnswered ? at : null,
      endedAt: at,
      billMs: isAnswered !== isBad ? oneOf(lengths, random) : isBad && random() < 0.5 ? -1 : null,
      patchBillMs: isAnswered && !unheard && random() < 0.3 ? oneOf(lengths, random) : null,
      sipStatus: random() < 0.5 ? 486 : null,
      q850Cause: random() < 0.5 ? 16 : null,
      endedBy: oneOf(['customer', 'network', 'us', null], random),
      keys: oneOf(['', '', '1', '2', '31', '12'], random),
      trail: isAnswered ? oneOf(trails, random) : null,
      agent: random() < 0.1 ? '9860000000' : null,
      agentMissed: random() < 0.1 ? 'notReached' : null,
      agentCounts: random() < 0.5,
      recordingId: random() < 0.1 ? '00000000-0000-4000-8000-000000000001' : null,
      unheard,
      retryInMs: oneOf([null, 0, 1000, 600_000], random),
      alerted: random() < 0.6,
      alertedAt: random() < 0.3 ? at : null,
    },
  )
}

/** Batches of mixed sizes: every call once, some twice, in one batch or in two, and some that were never open. */
export function recordedOutcomes(ids: readonly number[], now: Date, seed: number): Outcome[][] {
  const random = randomOf(seed, 'outcomes')
  const told = ids.flatMap((id) => {
    const one = recordedOutcome(id, now, random)
    const chance = random()
    if (chance < 0.04) return [one, recordedOutcome(id, now, random)]
    return chance < 0.06 ? [one, recordedOutcome(id + 1_000_000, now, random)] : [one]
  })
  const mixed = told.map((one) => ({ one, at: random() })).toSorted((a, b) => a.at - b.at)
  const batches: Outcome[][] = []
  for (let at = 0; at < mixed.length;) {
    const size = oneOf([1, 2, 7, 40, 150], random)
    batches.push(mixed.slice(at, at + size).map(({ one }) => one))
    at += size
  }
  return batches
}
