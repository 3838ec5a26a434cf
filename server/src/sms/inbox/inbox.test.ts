import { optOutDefault, type OptOut } from '@ghanti/contract/sms-inbox.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { engineDb } from '../../voice/testing/db.ts'
import { phones } from '../../voice/testing/fixtures.ts'
import { changeSetting } from '../../modules/platform/actions.ts'
import { inboxLimits, wordOf } from '../../modules/sms-inbox/rules.ts'
import type { Viewer } from '../../policy.ts'
import { settleMessages } from '../settle/settle.sql.ts'
import { handleIncoming, takeIn } from './inbox.ts'
import { claimSms, newSmsCampaign, newSmsFixtures, smsCounts, smsOutcome } from '../testing/fixtures.ts'
import { takeTests } from '../model/snapshot.sql.ts'

const at = await engineDb(8)
const fixtures = await newSmsFixtures(at, { users: 2 })
const { user, gatewayId } = fixtures
const other = fixtures.users[1] ?? user
const mint = (await at.db.selectFrom('account').select('id').where('kind', '=', 'mint').executeTakeFirstOrThrow()).id

async function reached(by: Viewer, numbers: readonly number[]): Promise<number> {
  const campaignId = await newSmsCampaign(at, { user: by, phones: numbers })
  const { messages } = await claimSms(at, fixtures, campaignId, numbers.length)
  const accepted = messages.map((one) => smsOutcome(one, { kind: 'accepted', accepted: 1, idKeys: [`i${one.id}`] }))
  await settleMessages(at.engine, fixtures.lease, gatewayId, accepted)
  return campaignId
}

let serial = 0
const said = (phone: number | string, text: string, more: { key?: string; to?: string; part?: number } = {}) => {
  const part = more.part === undefined ? null : { reference: 1, number: more.part, of: 2 }
  return { key: more.key ?? `k${++serial}`, from: String(phone), to: more.to ?? '31001', text, at: new Date(), part }
}
const handle = () => handleIncoming(at.engine, fixtures.coordinator, new AbortController().signal)
async function write(phone: number | string, text: string, more: Parameters<typeof said>[2] = {}): Promise<string> {
  await takeIn(at.engine, gatewayId, [said(phone, text, more)])
  expect((await handle()).failed).toEqual([])
  return (await inbox(phone)).at(-1)?.action ?? 'nothing'
}
const inbox = (from: number | string) =>
  at.db.selectFrom('sms_inbox').selectAll().where('from_number', '=', String(from)).orderBy('id').execute()
const lists = async (phone: number) =>
  (await at.db.selectFrom('blacklist').select('owner_id').where('phone', '=', phone).orderBy('owner_id').execute()).map(
    (row) => row.owner_id,
  )
const answersTo = (phone: number) =>
  at.db
    .selectFrom('sms_gateway_test')
    .select(['gateway_id', 'sender', 'text'])
    .where('phone', '=', phone)
    .orderBy('id')
    .execute()
const audited = (phone: number) =>
  at.db
    .selectFrom('audit_log')
    .select(['action', 'owner_id', 'actor_id'])
    .where('target', '=', String(phone).slice(3))
    .orderBy('id')
    .execute()
const optedOut = async (campaignId: number) =>
  (
    await at.db
      .selectFrom('sms_campaign_progress')
      .select('opted_out')
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow()
  ).opted_out
const setWords = (more: Partial<OptOut>) =>
  at.db.transaction().execute((tx) => changeSetting(tx, 'optOut', { ...optOutDefault, ...more }, null))

test.each([
  ['STOP', 'stop'],
  [' stop. ', 'stop'],
  ['"Stop!"', 'stop'],
  ['S T O P', 'stop'],
  ['ＳＴＯＰ', 'stop'],
  ['Stop all', 'stop'],
  ['STOP sending me this', 'stop'],
  ['stop, please', 'stop'],
  ['band', 'stop'],
  ['बन्द', 'stop'],
  ['बन्द\u200d गर्नुहोस्', 'stop'],
  ['Radda garnus', 'stop'],
  ['रद्द।', 'stop'],
  ['bandage', null],
  ['please stop', 'stop'],
  ['रोक्नुहोस्', 'stop'],
  ['कृपया नपठाउनुहोस्', 'stop'],
  ['STOP 12345', 'stop'],
  ['don’t stop', null],
  ['bus stop', null],
  ['Stop by at five', null],
  ['बन्द कहिले हो?', null],
  ['मेरो अर्डर रद्द गर्नुहोस्', null],
  ['non-stop', null],
  ['START', 'start'],
  ['सुरु', 'start'],
  ['start date?', null],
  ['help', 'help'],
  ['मद्दत चाहियो', 'help'],
  ['', null],
  ['???', null],
  ['thank you', null],
] as const)('“%s” asks for %s', (text, word) => expect(wordOf(text, optOutDefault)).toBe(word))

test('STOP puts the number on the list of the account that reached it last, whatever the sender ID, once, with a line of the audit log and of the campaign', async () => {
  const [phone = 0] = phones(1)
  const before = await reached(other, [phone])
  const campaignId = await reached(user, [phone])
  expect(await write(phone, 'Stop!', { to: 'OTHER' })).toBe('optOut')
  expect(await lists(phone)).toEqual([user.userId])
  expect(await inbox(phone)).toMatchObject([{ account_id: user.userId, campaign_id: campaignId, word: 'stop' }])
  expect(await write(phone, 'STOP')).toBe('alreadyOut')
  expect(await lists(phone)).toEqual([user.userId])
  expect(await audited(phone)).toEqual([{ action: 'blacklist.optOut', owner_id: user.userId, actor_id: null }])
  expect([await optedOut(before), await optedOut(campaignId)]).toEqual([0, 1])
})

test('a number that nobody reached goes on the platform’s list, and is not written to', async () => {
  const [phone = 0] = phones(1)
  expect(await write(phone, 'बन्द')).toBe('optOut')
  expect([await lists(phone), await answersTo(phone)]).toEqual([[mint], []])
  expect(await audited(phone)).toEqual([{ action: 'blacklist.optOut', owner_id: null, actor_id: null }])
})

test('a message without an outcome yet has reached its number; one that was refused has not', async () => {
  const [flying = 0, refused = 0] = phones(2)
  const campaignId = await newSmsCampaign(at, { user, phones: [flying, refused] })
  const { messages } = await claimSms(at, fixtures, campaignId, 2)
  const one = messages.find(({ phone }) => phone === refused)
  if (one)
    await settleMessages(at.engine, fixtures.lease, gatewayId, [smsOutcome(one, { kind: 'refused', code: '11' })])
  await write(flying, 'STOP')
  await write(refused, 'STOP')
  expect([await lists(flying), await lists(refused)]).toEqual([[user.userId], [mint]])
})

test('a number that opted out after its row was prepared is not sent to', async () => {
  const numbers = phones(3)
  const [stopping = 0] = numbers
  await reached(user, [stopping])
  const campaignId = await newSmsCampaign(at, { user, phones: numbers })
  expect(await write(stopping, 'STOP')).toBe('optOut')
  const { messages, blocked } = await claimSms(at, fixtures, campaignId, 3)
  expect([messages.map(({ phone }) => phone), blocked]).toEqual([numbers.slice(1), 1])
  expect(await smsCounts(at, campaignId)).toMatchObject({ dnd: 1, in_flight: 2 })
})

test('an opt-out is confirmed once, through the gateway and under the name that it was sent to, at nobody’s cost', async () => {
  const [phone = 0] = phones(1)
  await reached(user, [phone])
  const money = () =>
    at.db.selectFrom('account').select(['balance_paisa', 'reserved_paisa']).where('id', '=', user.userId).execute()
  const before = await money()
  await write(phone, 'STOP', { to: '31001' })
  const { confirmText: text } = optOutDefault
  expect(await answersTo(phone)).toEqual([{ gateway_id: gatewayId, sender: '31001', text }])
  expect(await money()).toEqual(before)
  await write(phone, 'START')
  expect(await write(phone, 'STOP')).toBe('optOut')
  expect(await answersTo(phone), 'at most one a number and day').toHaveLength(1)
  const isOfPhone = (one: { phone: number | null }) => one.phone === phone
  expect((await takeTests(at.engine, fixtures.lease)).filter(isOfPhone)).toMatchObject([{ kind: 'message', text }])
  expect((await takeTests(at.engine, fixtures.lease)).filter(isOfPhone), 'taken once').toEqual([])
})

test('an automatic answerer that answers every answer hears two messages, and no more', async () => {
  const [phone = 0] = phones(1)
  await reached(user, [phone])
  for (const text of ['STOP', 'HELP', 'STOP', 'START', 'HELP me', 'STOP', 'START', 'HELP']) await write(phone, text)
  expect(await answersTo(phone)).toHaveLength(2)
})

test('a keyword that is switched off is not answered, nor is a sender who is no mobile of Nepal', async () => {
  const [phone = 0] = phones(1)
  await reached(user, [phone])
  await setWords({ confirm: false, help: false })
  expect([await write(phone, 'STOP'), await write(phone, 'HELP')]).toEqual(['optOut', 'help'])
  expect(await answersTo(phone)).toEqual([])
  await setWords({})
  expect(await write('1415', 'STOP')).toBe('kept')
  expect(await write('NTC', 'HELP')).toBe('kept')
  expect(await write('14155550100', 'STOP')).toBe('kept')
  expect(await inbox('1415')).toMatchObject([{ phone: null, account_id: null }])
})

test('answers wait while messages are stopped, and not longer than an hour', async () => {
  const [phone = 0, late = 0] = phones(2)
  await reached(user, [phone, late])
  await takeTests(at.engine, fixtures.lease) // those of the tests before
  await write(phone, 'HELP')
  await write(late, 'HELP')
  await sql`update sms_gateway_test set asked_at = now() - interval '61 minutes' where phone = ${late}`.execute(at.db)
  const block = { kind: 'gateway', target_id: gatewayId, what: 'messages', reason: 'x', by_user_id: user.userId }
  const { id } = await at.db.insertInto('dial_block').values(block).returning('id').executeTakeFirstOrThrow()
  expect(await takeTests(at.engine, fixtures.lease)).toEqual([])
  await at.db.updateTable('dial_block').set({ lifted_at: new Date() }).where('id', '=', id).execute()
  expect((await takeTests(at.engine, fixtures.lease)).map((one) => one.phone)).toEqual([phone])
})

test('START takes back the opt-out alone: what its owner blacklisted stays', async () => {
  const [phone = 0, blacklisted = 0, stranger = 0] = phones(3)
  await reached(user, [phone, blacklisted])
  await at.db.insertInto('blacklist').values({ phone: blacklisted, owner_id: user.userId }).execute()
  await write(phone, 'STOP')
  expect(await write(phone, 'सुरु')).toBe('optIn')
  expect(await lists(phone)).toEqual([])
  expect((await audited(phone)).map(({ action }) => action)).toEqual(['blacklist.optOut', 'blacklist.optIn'])
  expect(await write(phone, 'START')).toBe('notOut')
  expect([await write(blacklisted, 'STOP'), await write(blacklisted, 'START')]).toEqual(['alreadyOut', 'notOut'])
  expect(await lists(blacklisted)).toEqual([user.userId])
  expect([await write(stranger, 'STOP'), await write(stranger, 'START')]).toEqual(['optOut', 'optIn'])
})

test('an ordinary message goes to the account whose sender ID it answers, else to the one that reached the number last', async () => {
  const [phone = 0, stranger = 0] = phones(2)
  const first = await reached(other, [phone])
  await at.db.updateTable('sms_campaign').set({ sender: 'HIMAL' }).where('id', '=', first).execute()
  const last = await reached(user, [phone])
  await write(phone, 'Thank you', { to: 'Himal' })
  await write(phone, 'Thank you', { to: '31001' })
  await write(stranger, 'Who is this?')
  expect(await inbox(phone)).toMatchObject([
    { account_id: other.userId, campaign_id: first, action: 'kept' },
    { account_id: user.userId, campaign_id: last, action: 'kept' },
  ])
  expect(await inbox(stranger)).toMatchObject([{ account_id: null, action: 'kept' }])
})

test('a message that a gateway sends again is stored and obeyed once; of a long message in pieces the first one counts', async () => {
  const [phone = 0] = phones(1)
  await reached(user, [phone])
  await takeIn(at.engine, gatewayId, [said(phone, 'STOP', { key: 'same' }), said(phone, 'STOP', { key: 'same' })])
  await takeIn(at.engine, gatewayId, [said(phone, 'STOP', { key: 'same' })])
  await Promise.all([handle(), handle()])
  expect((await inbox(phone)).map(({ action }) => action)).toEqual(['optOut'])
  expect(await write(phone, 'STOP', { part: 2 })).toBe('kept')
  expect(await write(phone, 'START now', { part: 1 })).toBe('kept')
})

test('a number that writes without end is kept so far and counted, with an alert; its opt-out is taken beyond', async () => {
  const [phone = 0] = phones(1)
  await reached(user, [phone])
  const flood = Array.from({ length: inboxLimits.number + 5 }, (_, n) => said(phone, `number ${n}`))
  await takeIn(at.engine, gatewayId, flood)
  await takeIn(at.engine, gatewayId, [said(phone, 'once more')])
  expect(await inbox(phone)).toHaveLength(inboxLimits.number)
  const { inbox_dropped } = await at.db
    .selectFrom('sms_gateway_count')
    .select('inbox_dropped')
    .where('gateway_id', '=', gatewayId)
    .executeTakeFirstOrThrow()
  expect(inbox_dropped).toBe(6)
  const alerts = await at.db.selectFrom('alert').selectAll().where('kind', '=', 'inbox_flood').execute()
  expect(alerts).toMatchObject([
    { subject: `gateway ${gatewayId}`, detail: `${phone} sent more than 50 messages today: further ones are not kept` },
  ])
  expect(await write(phone, 'STOP')).toBe('optOut')
  await takeIn(at.engine, gatewayId, [said(phone, 'STOP'), said(phone, 'STOP')])
  expect(await inbox(phone), 'one opt-out a day beyond the limit').toHaveLength(inboxLimits.number + 1)
})

test('a gateway that sends without end is kept so far; opt-outs are taken beyond, and the next day begins anew', async () => {
  const [phone = 0, stopping = 0] = phones(2)
  const full = { inbox_day: sql<string>`nepal_day(now())`, inbox_kept: inboxLimits.gateway }
  await at.db.updateTable('sms_gateway_count').set(full).where('gateway_id', '=', gatewayId).execute()
  await takeIn(at.engine, gatewayId, [said(phone, 'hello'), said(stopping, 'STOP')])
  expect([await inbox(phone), await inbox(stopping)].map((rows) => rows.length)).toEqual([0, 1])
  const yesterday = { ...full, inbox_day: sql<string>`nepal_day(now()) - 1` }
  await at.db.updateTable('sms_gateway_count').set(yesterday).where('gateway_id', '=', gatewayId).execute()
  expect(await write(phone, 'hello')).toBe('kept')
})

test('an opt-out that waits for a list in use holds up no other, and is done afterwards', async () => {
  const [waiting = 0, quick = 0] = phones(2)
  await reached(user, [waiting])
  await reached(other, [quick])
  await at.db.transaction().execute(async (tx) => {
    await tx.insertInto('blacklist').values({ phone: waiting, owner_id: user.userId }).execute()
    await takeIn(at.engine, gatewayId, [said(waiting, 'STOP'), said(quick, 'STOP')])
    expect((await handle()).failed).toHaveLength(1)
    expect(await lists(quick)).toEqual([other.userId])
  })
  expect((await handle()).failed).toEqual([])
  expect((await inbox(waiting)).map(({ action }) => action)).toEqual(['alreadyOut'])
})
