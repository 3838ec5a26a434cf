import { expect, test } from 'vitest'
import { changeSetting } from '../../modules/platform/actions.ts'
import { textsOfCalls } from '../../modules/sms-campaigns/actions-calls.ts'
import { callTextsOf } from '../../sms/testing/calls.ts'
import { prepareCampaign } from './prepare.ts'
import { newCampaign, newFixtures } from '../testing/fixtures.ts'
import { engineDb } from '../testing/db.ts'
import { prepareDeps } from '../testing/prepare.ts'

const at = await engineDb()
const fixtures = await newFixtures(at)
const deps = prepareDeps(at)
const { files } = deps

test('rows whose columns were not approved are counted beside, and each row keeps why it gets no text', async () => {
  const { user, line, lease } = fixtures
  await at.db
    .transaction()
    .execute((tx) => changeSetting(tx, 'textApproval', { promotional: false, words: ['casino'] }, null))
  const id = await newCampaign(at, { user, line, phones: [], status: 'processing' })
  const text = { occasion: 'success', key: null, minMs: 0, text: 'Dear {name}' } as const
  await callTextsOf(at, { campaignId: id, user, texts: [text], segments: [1] })
  const sender = { account_id: user.userId, name: 'GHANTI', status: 'approved' as const, operators: [0, 1, 2, 3] }
  const { id: senderId } = await at.db.insertInto('sms_sender').values(sender).returning('id').executeTakeFirstOrThrow()
  await at.pool.query(
    'update sms_campaign_detail d set sender_id = $2 from sms_campaign s where s.call_campaign_id = $1 and d.campaign_id = s.id',
    [id, senderId],
  )
  const hash = await files.putBytes(
    Buffer.from('mobile,name\n9841000001,Ram\n9801000002,Casino\n9841000003,Sita\n015970001,Hari\n'),
  )
  await at.pool.query(
    'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1',
    [id, hash],
  )
  await prepareCampaign(deps, lease, id, new AbortController().signal)
  const { rows } = await at.pool.query(
    'select segments, withheld from call_text_row where campaign_id = $1 order by no',
    [id],
  )
  expect(rows).toEqual([
    { segments: [1], withheld: null },
    { segments: [null], withheld: ["its {name} is not approved: it has the word 'casino'"] },
    { segments: [1], withheld: null },
    { segments: [null], withheld: ['the number is a landline, which no message reaches'] },
  ])
  expect(await textsOfCalls(at.db, id)).toMatchObject({ withheld: 1 })
})

test('texts that rows may be sent after their calls count as stored rows and bytes of the campaign', async () => {
  const { user, line, lease } = fixtures
  const text = { occasion: 'success', key: null, minMs: 0, text: 'Thanks' } as const
  const stored = async (withTexts: boolean) => {
    const id = await newCampaign(at, { user, line, phones: [], status: 'processing' })
    if (withTexts) await callTextsOf(at, { campaignId: id, user, texts: [text], segments: [1] })
    const hash = await files.putBytes(Buffer.from('mobile\n9841000001\n9801000002\n015970001\n'))
    await at.pool.query(
      'update base set file_hash = $2 from campaign_detail d where d.base_id = base.id and d.campaign_id = $1',
      [id, hash],
    )
    await prepareCampaign(deps, lease, id, new AbortController().signal)
    return at.db
      .selectFrom('campaign_progress')
      .select(['stored_rows', 'text_rows', 'stored_bytes'])
      .where('campaign_id', '=', id)
      .executeTakeFirstOrThrow()
  }
  const bare = await stored(false)
  expect(bare).toMatchObject({ stored_rows: 3, text_rows: 0 })
  const texts = await stored(true)
  expect(texts).toMatchObject({ stored_rows: 3, text_rows: 3 })
  expect(texts.stored_bytes - bare.stored_bytes).toBeGreaterThan(3 * 30)
})
