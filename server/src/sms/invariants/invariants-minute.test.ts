import { expect, test } from 'vitest'
import { engineDb } from '../../voice/testing/db.ts'
import { blocksRead } from '../../voice/testing/blocks.ts'
import { newSmsCampaign, newSmsFixtures } from '../testing/fixtures.ts'
import { checkMessageInvariantsSince, runningStatement } from './invariants.sql.ts'

const at = await engineDb()

test('the check of each minute finds rows that were sent twice, and reads the messages of a large campaign a few times, not once for each of them', async () => {
  const { user, gatewayId } = await newSmsFixtures(at)
  const id = await newSmsCampaign(at, { user, phones: [9779851000004] })
  const messages = 5000
  const send = async (from: number) =>
    at.pool.query(
      `insert into sms_sent (id, claimed_at, campaign_id, no, account_id, gateway_id, phone, operator, result, segments, accepted, cost_paisa)
       select $3 + n, now(), $1, n, p.account_id, $2, 9779851000004, 1, 'accepted', 1, 1, 150
       from sms_campaign p, generate_series(1, ${messages}) n where p.id = $1`,
      [id, gatewayId, from],
    )
  await send(0)
  const twice = async () => (await checkMessageInvariantsSince(at.engine, 0)).counts.sms_sent_twice
  expect(await twice()).toBe(0)
  expect(await blocksRead(at.engine, runningStatement, [0])).toBeLessThan(2 * messages)
  await send(messages)
  expect(await twice()).toBe(messages)
})
