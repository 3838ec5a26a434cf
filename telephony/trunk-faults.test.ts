/**
 * Trunks that carry no call: their campaigns are On Hold and say why, nobody is charged, and everything continues by itself once the trunk is
 * repaired.
 */
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openBench, operatorTrunk, startTersePeer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { expectSoundFiles, newCampaign, phones, type Fixtures } from '../server/src/voice/testing/fixtures.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import { newRoute } from '../server/src/voice/testing/routes.ts'
import { sipSecretPurpose } from '../server/src/modules/dialers/rules-secrets.ts'
import { newLine } from '../server/src/testing/seed.ts'
import { seal } from '../server/src/lib/secrets.ts'
import { attemptsOf, expectNothingLeft } from './call-log-checks.ts'
import { sipBench, skewMs } from './testing.ts'

/** trunks.test.ts of the driver has a wrong password and a missing codec over real SIP; engine-trunk-rates.test.ts and engine-refusals.test.ts what becomes of the campaign. */
const exhaustive = { tags: ['exhaustive'] }

const at = await sipBench()
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await at.fixtures({ cps: 20, channels: 60 })
  at.dial()
})

const campaignOf = (id: number) =>
  at.db.selectFrom('campaign').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

type Settings = { user: string; secret: string | null; codecs: string[] }
const sipSettings = ({ user, secret, codecs }: Settings) => ({
  sip_user: user,
  sip_secret_sealed: secret === null ? null : seal(at.secret, sipSecretPurpose, secret),
  codecs,
})

/** A trunk of our dialer, set there, to an operator that requires a password of `line1` and, with `g722only`, speaks only G.722. */
async function trunkWith(settings: Settings): Promise<Fixtures['line']> {
  const line = await newLine(at, { holders: fixtures.users, dialerId: fixtures.line.dialerId, channels: 60, cps: 20 })
  const { host, port } = inject('asterisk').operator
  const all = { sip_host: host, sip_port: port, ...sipSettings(settings) }
  await at.db.updateTable('trunk').set(all).where('id', '=', line.trunkId).execute()
  const state = () =>
    at.db.selectFrom('trunk_state').select('reachable').where('trunk_id', '=', line.trunkId).executeTakeFirst()
  await at.until('the trunk is reachable', async () => (await state())?.reachable === true)
  return line
}

const g711 = ['alaw', 'ulaw']
test.each([
  {
    why: 'a wrong password',
    wrong: { user: 'line1', secret: 'another', codecs: g711 },
    right: { user: 'line1', secret: 'line1-secret', codecs: g711 },
    reason: /^trunk Trunk \d+ is on hold: 401: it wants other credentials; it will be tried again (at|as soon)/,
    from: 9779820000046,
  },
  {
    why: 'a codec that the operator refuses',
    wrong: { user: 'g722only', secret: null, codecs: g711 },
    right: { user: 'g722only', secret: null, codecs: ['g722'] },
    reason:
      /^trunk Trunk \d+ is on hold: 10 calls running failed: 488: no codec in common; it will be tried again (at|as soon)/,
    from: 9779830000046,
  },
])(
  '$why puts the campaign On Hold in words, gives the attempts back and charges nothing; mended, it goes on',
  exhaustive,
  async (of) => {
    const line = await trunkWith(of.wrong)
    const { user } = fixtures
    const called = phones(40, 0, 0).map((n) => of.from + 100 * n)
    const id = await newCampaign(at, { user, line, phones: called, flow: at.flow(0), reservePaisa: 200 })
    await at.until('it is on hold', async () => (await campaignOf(id)).status === 'onHold')
    expect(await campaignOf(id)).toMatchObject({ hold_cause: 'trunk', reason: expect.stringMatching(of.reason) })
    const open = () => at.db.selectFrom('attempt_open').select('id').where('campaign_id', '=', id).execute()
    await at.until('nothing is open', async () => (await open()).length === 0)
    for (const attempt of await attemptsOf(at, [id])) {
      expect(['CONGESTION', 'CANCEL']).toContain(attempt.disposition)
      expect(attempt).toMatchObject({ cost_paisa: 0, uncollected_paisa: 0, pulses: 0 })
    }
    const rows = await at.db.selectFrom('campaign_contact').selectAll().where('campaign_id', '=', id).execute()
    for (const row of rows)
      expect(row).toMatchObject({ attempts: 0, state: expect.stringMatching(/^(fresh|waiting)$/) })
    expect(await at.db.selectFrom('transfer').selectAll().where('campaign_id', '=', id).execute()).toEqual([])
    await at.db.updateTable('trunk').set(sipSettings(of.right)).where('id', '=', line.trunkId).execute()
    await at.until('it is complete', async () => (await campaignOf(id)).status === 'complete')
    const talks = (await attemptsOf(at, [id])).filter(({ disposition }) => disposition === 'ANSWER')
    expect(talks.map(({ phone }) => phone).toSorted()).toEqual(called)
  },
)

test('behind an operator who replies nothing the next trunk of the route makes the calls within seconds, as the same attempts, and silence is charged to nobody', async () => {
  const mute = await startTersePeer([])
  onTestFinished(() => mute.close())
  const { users, user, line } = fixtures
  const silent = await newLine(at, { holders: users, dialerId: line.dialerId, channels: 60, cps: 20 })
  const sip_options = JSON.stringify({ sendsOptions: false, silentSeconds: 3 })
  await at.db
    .updateTable('trunk')
    .set({ sip_host: '127.0.0.1', sip_port: mute.port, sip_options })
    .where('id', '=', silent.trunkId)
    .execute()
  const own = { ...fixtures, line: silent }
  const steps = [silent.trunkId, line.trunkId].map((trunkId, n) => ({ trunkId, priority: n + 1, weight: 1 }))
  await newRoute(at, own, steps)
  const called = phones(30, 0, 0).map((n) => 9779840000046 + 100 * n)
  const id = await newCampaign(at, { user, line: silent, phones: called, flow: at.flow(0), reservePaisa: 200 })
  await at.until('it is complete', async () => (await campaignOf(id)).status === 'complete')
  const attempts = await attemptsOf(at, [id])
  const answered = attempts.filter(({ disposition }) => disposition === 'ANSWER')
  expect(answered.map(({ phone }) => phone).toSorted()).toEqual(called)
  const detoured = answered.filter(({ tried }) => tried !== null)
  expect(detoured.length, 'until the silent trunk is held').toBeGreaterThan(5)
  for (const { tried, trunk_id, alerted_at, claimed_at } of detoured) {
    expect({ tried, trunk_id }).toEqual({ tried: [silent.trunkId], trunk_id: line.trunkId })
    expect(Number(alerted_at ?? claimed_at) - Number(claimed_at)).toBeLessThan(3000 + skewMs)
  }
  for (const { disposition, cost_paisa, attempt_no } of attempts) {
    expect(attempt_no).toBe(1)
    if (disposition !== 'ANSWER')
      expect({ disposition, cost_paisa }).toEqual({ disposition: 'CONGESTION', cost_paisa: 0 })
  }
})

test('in the end everybody has paid for what was answered, and for nothing else', async () => {
  const attempts = await at.db.selectFrom('attempt').selectAll().execute()
  await expectPaid(at, fixtures, owedFor(attempts.map(({ bill_ms }) => ({ customerMs: bill_ms, agentMs: null }))))
  await expectSoundFiles(at)
  await expectNothingLeft(at)
})

test(
  'an operator who never replies to a call is a fault of the trunk within seconds, however long it may ring',
  exhaustive,
  async () => {
    const { exchange } = at
    const suite = await openBench('silent', at.own.dialer)
    try {
      await suite.connection.setTrunks([operatorTrunk('silent', exchange)])
      const channelId = await suite.call('44', { trunk: 'silent', ringMs: 45_000 })
      const end = await suite.events.next('hungUp', channelId)
      expect(end).toMatchObject({ endedBy: 'ringTimeout', alerted: false })
      expect(end.at - end.startedAt).toBeLessThan(15_000)
    } finally {
      await suite.connection.close()
      await suite.fixture.close()
    }
  },
)
