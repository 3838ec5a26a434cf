// @module-tag exhaustive
/** One campaign over two Asterisks of a route. The one that leads it is killed, and its rows go on over the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ownDialer } from '../server/src/drivers/telephony/asterisk/testing.ts'
import { expectSoundFiles, newCampaign } from '../server/src/voice/testing/fixtures.ts'
import { expectPaid, owedFor } from '../server/src/voice/testing/expected-charges.ts'
import { anotherDialer, newRoute } from '../server/src/voice/testing/routes.ts'
import { seal } from '../server/src/lib/secrets.ts'
import { ariSecretPurpose } from '../server/src/modules/dialers/rules-secrets.ts'
import { attemptsOf, byNumber, callsIn, expectNobodyTwice, expectNothingLeft } from './call-log-checks.ts'
import { sipBench, skewMs } from './testing.ts'

const callsPerSecond = 5
const rows = 200
/** Calls that the dialer had sent off when it died still arrive. */
const onTheWayMs = 300

const at = await sipBench()
const second = await ownDialer()
at.atEnd(() => second.remove())

/** A caller ID whose route has a trunk on each of two Asterisks, both to SIPp. The first one leads its campaigns. */
async function twoAsterisks() {
  const fixtures = await at.fixtures({ cps: callsPerSecond, channels: 60 })
  const other = await anotherDialer(at, { cps: callsPerSecond, channels: 60 })
  const { host, port, user, secret } = second.dialer
  const sealed = seal(at.secret, ariSecretPurpose, secret)
  await at.db
    .updateTable('dialer')
    .set({ driver: 'asterisk', host, port, ari_user: user, ari_secret_sealed: sealed })
    .where('id', '=', other.dialerId)
    .execute()
  await at.db
    .updateTable('trunk')
    .set({ sip_host: at.exchange.host, sip_port: at.exchange.port })
    .where('id', '=', other.trunkId)
    .execute()
  const trunkIds = [fixtures.line.trunkId, other.trunkId]
  await newRoute(
    at,
    fixtures,
    trunkIds.map((trunkId) => ({ trunkId, priority: 1, weight: 1 })),
  )
  at.dial()
  const reachable = () =>
    at.db
      .selectFrom('trunk_state')
      .select('trunk_id')
      .where('trunk_id', 'in', trunkIds)
      .where('reachable', '=', true)
      .execute()
  await at.until('both trunks are reachable', async () => (await reachable()).length === 2)
  return { fixtures, trunkIds }
}

test('one campaign over two Asterisks, of which the leading one is killed: the rest go on over the other within 5 s, nobody is called again after an answer, and all pay for what they talked', async () => {
  const { fixtures, trunkIds } = await twoAsterisks()
  const [first = 0, other = 0] = trunkIds
  const phones = Array.from({ length: rows }, (_, n) => 9779800000046 + 100 * n)
  const of = { user: fixtures.user, line: fixtures.line, retries: 0, reservePaisa: 400, channels: 100 }
  const id = await newCampaign(at, { ...of, phones, flow: at.flow(0), status: 'ready' })
  const upOver = async (trunkId: number): Promise<number> =>
    (await at.db.selectFrom('attempt_open').select('id').where('trunk_id', '=', trunkId).execute()).length +
    (await at.db.selectFrom('attempt').select('id').where('trunk_id', '=', trunkId).execute()).length
  for (const trunkId of trunkIds)
    await at.until(`calls go over trunk ${trunkId}`, async () => (await upOver(trunkId)) >= 15)

  const diedAt = Date.now()
  at.own.kill()
  const later = () => callsIn(at.sipp.operator.log()).filter((call) => call.at > diedAt + onTheWayMs)
  await at.until('it goes on', async () => later().length > 0)
  expect(Math.min(...later().map((call) => call.at)) - diedAt).toBeLessThan(5000)
  await sleep(3000)
  const campaign = () =>
    at.db.selectFrom('campaign').select(['status', 'reason']).where('id', '=', id).executeTakeFirstOrThrow()
  expect(later().length).toBeGreaterThan(callsPerSecond)
  expect(await campaign()).toMatchObject({ status: 'running', reason: expect.stringMatching(/^calls go over dialer /) })

  await at.own.start() // its record says how its calls ended
  await at.until('the campaign is complete', async () => (await campaign()).status === 'complete')
  const calls = callsIn(at.sipp.operator.log())
  expectNobodyTwice(calls)
  const heard = byNumber(calls)
  const attempts = (await attemptsOf(at, [id])).filter(({ disposition }) => disposition !== 'CANCEL')
  const ofNumber = Map.groupBy(attempts, ({ phone }) => phone)
  expect([...ofNumber.keys()].toSorted()).toEqual(phones)
  for (const [phone, all] of ofNumber) {
    const invites = heard.get(String(phone)) ?? []
    // Only whoever had not answered when the dialer died, or whose call did not get through, is called once more.
    for (const { trunk_id: trunkId, disposition, bill_ms: billMs } of all.slice(0, -1))
      expect([phone, billMs, trunkId === first || disposition === 'CONGESTION']).toEqual([phone, null, true])
    expect(invites.length, String(phone)).toBeLessThanOrEqual(all.length)
    const last = all.at(-1)
    if (last?.trunk_id !== other) continue
    const answered = invites.find(({ answeredAt }) => answeredAt !== null)
    expect([phone, last.bill_ms !== null]).toEqual([phone, answered !== undefined])
    const talkMs = (answered?.endedAt ?? 0) - (answered?.answeredAt ?? 0)
    expect(Math.abs(talkMs - (last.bill_ms ?? 0)), String(phone)).toBeLessThan(skewMs)
  }
  await expectSoundFiles(at)
  await expectNothingLeft(at)
  const talks = attempts.map(({ bill_ms, patch_bill_ms }) => ({ customerMs: bill_ms, agentMs: patch_bill_ms }))
  await expectPaid(at, fixtures, owedFor(talks))
}, 300_000)
