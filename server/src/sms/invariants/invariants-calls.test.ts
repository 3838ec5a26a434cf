import { expect, test } from 'vitest'
import { settleOutcomes } from '../../voice/settle/settle.sql.ts'
import { checkInvariants } from '../../voice/invariants/invariants.sql.ts'
import { claimed, newCampaign, newFixtures, outcome, phones } from '../../voice/testing/fixtures.ts'
import { engineDb } from '../../voice/testing/db.ts'
import { checkMessageInvariants } from './invariants.sql.ts'
import { callTextsOf } from '../testing/calls.ts'
import { expectSoundBooks } from '../testing/fixtures.ts'

const at = await engineDb()

/** One call of two that was answered, and whose text waits with its money. */
async function answeredCall(): Promise<number> {
  const fixtures = await newFixtures(at)
  const { user, line } = fixtures
  const id = await newCampaign(at, { user, line, phones: phones(2) })
  const texts = [{ occasion: 'success', key: null, minMs: 0, text: 'Thanks' }] as const
  const smsId = await callTextsOf(at, { campaignId: id, user, texts, segments: [2] })
  await at.db.updateTable('sms_campaign').set({ status: 'running' }).where('id', '=', smsId).execute()
  const calls = await claimed(at, fixtures, id, 1)
  const answered = { disposition: 'ANSWER', billMs: 9000, answeredAt: new Date(), trail: '>done' } as const
  await settleOutcomes(
    at.engine,
    fixtures.lease,
    0,
    calls.map((call) => outcome(call, answered)),
  )
  return smsId
}

const smsId = await answeredCall()

test.each([
  {
    fault: 'sms_missing_after_call',
    why: 'a text that a call earned is missing',
    harm: ['delete from sms_message where campaign_id = $1', 'delete from sms_retry where campaign_id = $1'],
  },
  {
    fault: 'sms_without_call',
    why: 'a text waits that no call earned',
    harm: ['update sms_message set no = no + 16 where campaign_id = $1'],
  },
  {
    fault: 'sms_held_wrong',
    why: 'a text holds another sum than it costs',
    harm: ['update sms_retry set held_paisa = held_paisa - 150 where campaign_id = $1'],
  },
  {
    fault: 'reservation_wrong',
    why: 'what a text holds is not reserved',
    harm: ['update sms_retry set held_paisa = 0 where campaign_id = $1'],
  },
  {
    fault: 'sms_stranded',
    why: 'a text stands in no queue',
    harm: ['delete from sms_retry where campaign_id = $1'],
  },
])('the check says $fault where $why', async ({ fault, harm }) => {
  await expectSoundBooks(at)
  const messages = await rowsOf('sms_message')
  const queue = await rowsOf('sms_retry')
  expect(messages, 'a message to harm').toHaveLength(1)
  for (const statement of harm) await at.pool.query(statement, [smsId])
  const counts = { ...(await checkInvariants(at.engine)), ...(await checkMessageInvariants(at.engine)) }
  expect(
    Object.entries(counts)
      .filter(([, n]) => n !== 0)
      .map(([name]) => name),
  ).toContain(fault)
  await putBack('sms_message', messages)
  await putBack('sms_retry', queue)
  await expectSoundBooks(at)
})

type Table = 'sms_message' | 'sms_retry'

async function rowsOf(table: Table): Promise<unknown[]> {
  return (await at.pool.query<{ row: unknown }>(`select to_jsonb(t) as row from ${table} t`)).rows.map(({ row }) => row)
}

async function putBack(table: Table, rows: readonly unknown[]): Promise<void> {
  await at.pool.query(`delete from ${table}`)
  const put = `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`
  await at.pool.query(put, [JSON.stringify(rows)])
}
