import { expect, test } from 'vitest'
import { settleOutcomes } from './settle.sql.ts'
import { claimed, newCampaign, newFixtures, outcome, phones, type CallOutcome } from '../testing/fixtures.ts'
import { engineDb } from '../testing/db.ts'

const at = await engineDb()

type Occasion = 'success' | 'fail' | 'dtmf'

async function campaignWith(occasions: readonly Occasion[], rows: number) {
  const fixtures = await newFixtures(at)
  const campaignId = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: phones(rows) })
  const options = occasions.map((occasion) => ({
    campaign_id: campaignId,
    occasion,
    address_sealed: 'sealed',
    host: 'sms.example.com',
    answered_ms: occasion === 'success' ? 20_000 : 0,
  }))
  if (options.length > 0) await at.db.insertInto('after_call_option').values(options).execute()
  return { fixtures, campaignId }
}

const messagesOf = async (campaignId: number): Promise<string[]> => {
  const rows = await at.db
    .selectFrom('after_call_message')
    .select(['no', 'occasion'])
    .where('campaign_id', '=', campaignId)
    .orderBy('no')
    .orderBy('occasion')
    .execute()
  return rows.map(({ no, occasion }) => `${no} ${occasion}`)
}

test.each<{ why: string; ending: CallOutcome; due: Occasion[] }>([
  {
    why: 'a call of the shortest length that counts',
    ending: { disposition: 'ANSWER', billMs: 20_000 },
    due: ['success'],
  },
  {
    why: 'a call too short is neither a success nor a failure',
    ending: { disposition: 'ANSWER', billMs: 19_999 },
    due: [],
  },
  { why: 'a key pressed in a short call', ending: { disposition: 'ANSWER', billMs: 900, keys: '31' }, due: ['dtmf'] },
  {
    why: 'a long call with a key',
    ending: { disposition: 'ANSWER', billMs: 60_000, keys: '1' },
    due: ['success', 'dtmf'],
  },
  { why: 'nobody answered, for the last time', ending: { disposition: 'NO ANSWER', retryInMs: null }, due: ['fail'] },
  { why: 'nobody answered, and it is called again', ending: { disposition: 'NO ANSWER', retryInMs: 60_000 }, due: [] },
  { why: 'a number that is none', ending: { disposition: 'INVALID' }, due: ['fail'] },
  { why: 'a call that goes back where it came from', ending: { disposition: 'CANCEL' }, due: [] },
  { why: 'a call of which nobody knows whether it was answered', ending: { disposition: 'LOST' }, due: [] },
])('what is due after $why', async ({ ending, due }) => {
  const { fixtures, campaignId } = await campaignWith(['success', 'fail', 'dtmf'], 1)
  const calls = await claimed(at, fixtures, campaignId, 1)
  const outcomes = calls.map((call) => outcome(call, ending))
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, outcomes)).toHaveLength(1)
  expect(await messagesOf(campaignId)).toEqual(due.map((occasion) => `0 ${occasion}`))
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, outcomes), 'reported twice').toEqual([])
  expect(await messagesOf(campaignId)).toHaveLength(due.length)
})

test('a row has one message of an occasion, however often it is called', async () => {
  const { fixtures, campaignId } = await campaignWith(['dtmf'], 1)
  for (const turn of [0, 1]) {
    const calls = await claimed(at, fixtures, campaignId, 1)
    expect(calls).toHaveLength(1)
    const ending: CallOutcome = { disposition: 'NO ANSWER', keys: '5', retryInMs: turn === 0 ? 0 : null }
    await settleOutcomes(
      at.engine,
      fixtures.lease,
      0,
      calls.map((call) => outcome(call, ending)),
    )
  }
  expect(await messagesOf(campaignId)).toEqual(['0 dtmf'])
  const count = await at.db
    .selectFrom('after_call_count')
    .select(['booked', 'sent'])
    .where('campaign_id', '=', campaignId)
    .execute()
  expect(count).toEqual([{ booked: 1, sent: 0 }])
})

test('a campaign without options, and one whose addresses are forgotten, books no message, in one batch with one that has them', async () => {
  const { fixtures, campaignId } = await campaignWith(['success'], 3)
  const plain = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: phones(3) })
  const forgotten = await newCampaign(at, { user: fixtures.user, line: fixtures.line, phones: phones(3) })
  await at.db
    .insertInto('after_call_option')
    .values({ campaign_id: forgotten, occasion: 'success', address_sealed: null, host: 'sms.example.com' })
    .execute()
  const calls = []
  for (const id of [campaignId, plain, forgotten]) calls.push(...(await claimed(at, fixtures, id, 3)))
  const outcomes = calls.map((call) => outcome(call, { disposition: 'ANSWER', billMs: 30_000 }))
  expect(await settleOutcomes(at.engine, fixtures.lease, 0, outcomes)).toHaveLength(9)
  expect(await messagesOf(campaignId)).toEqual(['0 success', '1 success', '2 success'])
  expect(await messagesOf(plain)).toEqual([])
  expect(await messagesOf(forgotten)).toEqual([])
})
