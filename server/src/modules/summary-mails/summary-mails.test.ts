import { consultancy } from '@ghanti/callflow/templates/consultancy.ts'
import { fullInput } from '@ghanti/callflow/testing.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MailNotTaken, MailRefused, type Mail } from '../../drivers/mail/driver.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSummaryAddress } from '../../testing/routes/route-fixtures-summaries.ts'
import { forgetOldSummaryMails, sendAddressLink } from './actions.ts'
import { giveUpSummaryMails, queueSummaryMails, sendSummaryMails } from './actions-send.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com', basePath: '/build' })
let http: FastifyInstance
let reseller: Viewer
let user: Viewer
const day = 24 * 3600_000
beforeAll(async () => {
  http = await testHttp(app)
  reseller = await newReseller(app, { parent: await newSuperAdmin(app) })
})
/** 09:15 in Nepal; every test has days of its own. */
let start = Date.parse('2026-11-22T03:30:00Z')
beforeEach(async () => {
  app.mail.sent.length = 0
  app.clock.set(new Date((start += 10 * day)))
  await app.db.deleteFrom('rate_limit').execute()
  await app.db.deleteFrom('summary_due').execute()
  user = await newUser(app, { parent: reseller })
})

const post = async (viewer: Viewer | null, url: string, payload: object) =>
  http.inject({ method: 'POST', url, payload, headers: viewer ? await signedIn(app, viewer) : {} })
const path = '/api/obd/summary-mails'
const readOf = async (viewer: Viewer) =>
  (await http.inject({ url: path, headers: await signedIn(app, viewer) })).json<{
    addresses: { addressId: number; address: string; state: string }[]
    mails: { state: string; kind: string; campaignName: string | null; day: string | null }[]
    mailsToday: number
  }>()
const choose = (viewer: Viewer, over: object = {}) =>
  post(viewer, path, { onCompletion: true, formats: 'both', language: 'en', calendar: 'ad', ...over })
const errorOf = (reply: { json(): unknown }) =>
  (reply.json() as { errors?: { field: string; code: string; text: string }[] }).errors?.[0]

/** The jobs that were made, done one after the other as a worker does them. */
async function work(): Promise<Mail[]> {
  app.mail.sent.length = 0
  for (const { name, data } of await jobs())
    if (name === 'summary-address') await sendAddressLink(app, data as { addressId: number })
    else if (name === 'summary-mail') await sendSummaryMails(app, (data as { mailIds: number[] }).mailIds)
  return app.mail.sent
}
async function jobs(): Promise<{ name: string; data: object }[]> {
  const { rows } = await app.pool.query<{ name: string; data: object }>(
    "with taken as (delete from pgboss.job where name like 'summary%' returning name, data, created_on) select name, data from taken order by created_on",
  )
  return rows
}
async function queuedMails(): Promise<number[]> {
  const [job, ...others] = await jobs()
  if (!job || others.length > 0) throw new Error(`${others.length} other jobs`)
  return (job.data as { mailIds: number[] }).mailIds
}
const endOf = (mail: Mail | undefined, page: 'yes' | 'no') =>
  new RegExp(`^https://calls\\.example\\.com/build/summary-mails/${page}/([\\w-]+)$`, 'm').exec(
    mail?.text ?? '',
  )?.[1] ?? 'the mail has no link'

/** A campaign that has just ended. The owner's choice is read as it becomes complete. */
async function completed(owner: Viewer, name = 'Dashain'): Promise<number> {
  const campaignId = await newCampaign(app, owner, { status: 'running', rows: 2, name })
  const flow = JSON.stringify(consultancy.build(fullInput))
  await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
  await app.db.updateTable('summary_due').set({ at: app.clock.now() }).execute()
  app.clock.advance(6000)
  return campaignId
}
async function calledOn(owner: Viewer, campaignId: number, of: string, attempts: number): Promise<void> {
  await app.pool.query(
    `insert into call_count_day select r.* from call_count_day t right join (select 1) one on false
       cross join lateral jsonb_populate_record(null::call_count_day, (select jsonb_object_agg(column_name, 0) from information_schema.columns where table_name = 'call_count_day')
         || jsonb_build_object('slice', 'day', 'kind', 'campaign', 'account_id', $1::int, 'key', $2::int, 'attempts', $4::int, 'at', $3::date - '1970-01-01'::date)) r`,
    [owner.userId, campaignId, of, attempts],
  )
}

describe('an address', () => {
  test('gets nothing before its reader said yes on the page of a mailed link, which works once', async () => {
    await choose(user)
    expect((await post(user, `${path}/address`, { address: 'boss@example.com' })).statusCode).toBe(200)
    const [link] = await work()
    expect(link).toMatchObject({ to: 'boss@example.com', subject: expect.stringContaining('Receive summaries') })
    expect(link?.text, 'nobody else’s words').not.toContain(user.username)
    await completed(user)
    await queueSummaryMails(app)
    expect(await work(), 'nobody said yes').toEqual([])
    const token = endOf(link, 'yes')
    expect((await post(null, `${path}/confirm`, { token })).statusCode).toBe(200)
    expect(errorOf(await post(null, `${path}/confirm`, { token }))).toMatchObject({ code: 'used' })
    expect((await readOf(user)).addresses).toMatchObject([{ address: 'boss@example.com', state: 'confirmed' }])
    const campaignId = await completed(user)
    await queueSummaryMails(app)
    const [mail, ...others] = await work()
    expect(others).toEqual([])
    expect(mail?.attachments?.map(({ fileName }) => fileName)).toEqual([
      `summary-${campaignId}.pdf`,
      `summary-${campaignId}.csv`,
    ])
    expect(mail?.attachments?.[0]?.content.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(mail?.attachments?.[1]?.content.toString()).toContain('Dashain')
    expect(`${mail?.subject}${mail?.text}`, 'names that the account gave are in the files alone').not.toContain(
      'Dashain',
    )
    expect(mail?.stopLink).toMatch(/^https:\/\/calls\.example\.com\/build\/summary-mails\/no\//)
  })

  test('that is the account’s own and confirmed needs no link', async () => {
    const own = { emailid: 'own@example.com', verified_emailid: 'own@example.com' }
    await app.db.updateTable('users').set(own).where('id', '=', user.userId).execute()
    await post(user, `${path}/address`, { address: 'Own@Example.com' })
    expect((await readOf(user)).addresses).toMatchObject([{ state: 'confirmed' }])
    expect(await work()).toEqual([])
  })

  test('gets no more from its reader’s No on, who needs no session, and is not asked again for thirty days', async () => {
    await newSummaryAddress(app, user, 'tired@example.com')
    await choose(user)
    await completed(user)
    await queueSummaryMails(app)
    const token = endOf((await work())[0], 'no')
    expect((await post(null, `${path}/stop`, { token })).statusCode).toBe(200)
    expect((await post(null, `${path}/stop`, { token })).statusCode, 'again').toBe(200)
    const stops = app.db.selectFrom('audit_log').select('id').where('action', '=', 'summary.address.stop')
    expect(await stops.where('target', '=', `user ${user.userId}`).execute(), 'one line, however often').toHaveLength(1)
    await completed(user)
    await queueSummaryMails(app)
    expect(await work()).toEqual([])
    const [stopped] = (await readOf(user)).addresses
    expect(stopped).toMatchObject({ state: 'stopped' })
    const headers = await signedIn(app, user)
    await http.inject({ method: 'DELETE', url: `${path}/address/${stopped?.addressId}`, headers })
    const again = () => post(user, `${path}/address`, { address: 'TIRED@example.com' })
    expect(errorOf(await again()), 'removing it changes nothing').toMatchObject({ field: 'address', code: 'stopped' })
    app.clock.advance(31 * day)
    expect((await again()).statusCode).toBe(200)
    expect(await work()).toMatchObject([{ to: 'TIRED@example.com', subject: expect.stringContaining('Receive') }])
  })

  test('is stopped by its own link only: a changed or made-up one does nothing', async () => {
    const addressId = await newSummaryAddress(app, user)
    for (const token of [`${addressId}-x`, `${addressId}`, 'x', `${addressId}-${'A'.repeat(43)}`])
      expect(errorOf(await post(null, `${path}/stop`, { token })), token).toMatchObject({ code: 'no_link' })
    expect((await readOf(user)).addresses).toMatchObject([{ state: 'confirmed' }])
  })

  test('an account has five at most, a stranger’s address gets three links a day whoever asks, and none twice within five minutes', async () => {
    const ask = (viewer: Viewer, address: string) => post(viewer, `${path}/address`, { address })
    for (let n = 0; n < 5; n++) expect((await ask(user, `one${n}@example.com`)).statusCode).toBe(200)
    expect(errorOf(await ask(user, 'six@example.com'))).toMatchObject({ code: 'too_many' })
    expect(errorOf(await ask(user, 'one0@example.com'))?.text).toContain('within five minutes')
    const victims: number[] = []
    for (let n = 0; n < 5; n++) victims.push((await ask(await newUser(app), 'victim@example.com')).statusCode)
    expect(victims).toEqual([200, 200, 200, 409, 409])
    expect((await work()).map(({ to }) => to)).toEqual([
      ...Array.from({ length: 5 }, (_, n) => `one${n}@example.com`),
      ...Array.from({ length: 3 }, () => 'victim@example.com'),
    ])
    expect(errorOf(await ask(user, 'no address'))).toMatchObject({ field: 'address' })
  })

  test('of somebody else is not there', async () => {
    const addressId = await newSummaryAddress(app, await newUser(app))
    const campaignId = await newCampaign(app, user, { status: 'complete' })
    const headers = await signedIn(app, user)
    const removed = await http.inject({ method: 'DELETE', url: `${path}/address/${addressId}`, headers })
    expect(removed.statusCode).toBe(404)
    const flow = JSON.stringify(consultancy.build(fullInput))
    await app.db.updateTable('campaign_detail').set({ flow }).where('campaign_id', '=', campaignId).execute()
    const written = { formats: 'pdf', language: 'ne', calendar: 'bs' }
    const sent = await post(user, '/api/obd/campaign/summary/mail', { campaignId, addressIds: [addressId], ...written })
    expect(sent.statusCode).toBe(400)
    expect(errorOf(sent)).toMatchObject({ field: 'addressIds' })
  })
})

describe('after a campaign', () => {
  beforeEach(async () => {
    await choose(user)
    await newSummaryAddress(app, user)
  })

  test('one mail goes to each address, however many processes look and however often it completes', async () => {
    await newSummaryAddress(app, user)
    const campaignId = await completed(user)
    await Promise.all(Array.from({ length: 5 }, () => queueSummaryMails(app)))
    expect(await work()).toHaveLength(2)
    for (const status of ['running', 'complete'] as const)
      await app.db.updateTable('campaign').set({ status }).where('id', '=', campaignId).execute()
    await app.db
      .updateTable('summary_due')
      .set({ at: new Date(0) })
      .execute()
    await queueSummaryMails(app)
    expect(await work(), 'after Retry').toEqual([])
  })

  test('a mail whose process died while it was sent is never sent again; one whose process died before is', async () => {
    await completed(user)
    await queueSummaryMails(app)
    const mailIds = await queuedMails()
    const died = { ...app, mail: { send: () => Promise.reject(new Error('gone')), close: () => {} } }
    await app.pool.query("update summary_mail set state = 'sending' where id = any ($1)", [mailIds])
    await sendSummaryMails(app, mailIds)
    expect(app.mail.sent).toEqual([])
    expect((await readOf(user)).mails).toMatchObject([{ state: 'unknown', reason: 'inDoubt' }])
    await app.pool.query(
      "update summary_mail set state = 'queued', reason = null, ended_at = null where id = any ($1)",
      [mailIds],
    )
    await sendSummaryMails(died, mailIds)
    expect((await readOf(user)).mails, 'the connection broke: it may have arrived').toMatchObject([
      { state: 'unknown' },
    ])
    await app.pool.query(
      "update summary_mail set state = 'queued', reason = null, ended_at = null where id = any ($1)",
      [mailIds],
    )
    await sendSummaryMails(app, mailIds)
    await sendSummaryMails(app, mailIds)
    expect(app.mail.sent).toHaveLength(1)
    expect((await readOf(user)).mails).toMatchObject([{ state: 'sent', kind: 'completion', campaignName: 'Dashain' }])
  })

  test('what the server certainly did not take is tried again, what it refuses for good is not', async () => {
    await completed(user)
    await queueSummaryMails(app)
    const mailIds = await queuedMails()
    const answering = (error: Error) => ({ ...app, mail: { send: () => Promise.reject(error), close: () => {} } })
    await expect(sendSummaryMails(answering(new MailNotTaken('451 later')), mailIds)).rejects.toThrow('451')
    expect((await readOf(user)).mails).toMatchObject([{ state: 'queued' }])
    await sendSummaryMails(answering(new MailRefused('550 nobody')), mailIds)
    expect((await readOf(user)).mails).toMatchObject([{ state: 'failed', reason: 'refused' }])
    await sendSummaryMails(app, mailIds)
    expect(app.mail.sent).toEqual([])
  })

  test('nothing goes of a campaign that was deleted, nor from an account that is stopped, also when that happens while it waits', async () => {
    const deleted = { by_user_id: user.userId, asked_at: new Date() }
    const gone = await completed(user)
    await queueSummaryMails(app)
    await app.db
      .insertInto('campaign_deleted')
      .values({ campaign_id: gone, ...deleted })
      .execute()
    expect(await work()).toEqual([])
    const before = await completed(user)
    await app.db
      .insertInto('campaign_deleted')
      .values({ campaign_id: before, ...deleted })
      .execute()
    await queueSummaryMails(app)
    expect(await work()).toEqual([])
    const stop = (disabled_at: Date | null) =>
      app.db.updateTable('users').set({ disabled_at }).where('id', '=', reseller.userId).execute()
    await completed(user)
    await queueSummaryMails(app)
    await stop(new Date())
    expect(await work()).toEqual([])
    await completed(user)
    await queueSummaryMails(app)
    expect(await work()).toEqual([])
    await stop(null)
    await queueSummaryMails(app)
    expect(await work(), 'what nobody heard then is no news').toEqual([])
    expect((await readOf(user)).mails.map(({ state }) => state)).toEqual(['dropped', 'dropped'])
  })

  test('of an account that did not ask for it, and of a test call, nothing is made', async () => {
    const other = await newUser(app, { parent: reseller })
    await newSummaryAddress(app, other)
    await completed(other)
    await choose(other, { onCompletion: false })
    await completed(other)
    const test = await newCampaign(app, user, { status: 'running' })
    await app.db.updateTable('campaign').set({ is_test: true }).where('id', '=', test).execute()
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', test).execute()
    await queueSummaryMails(app)
    expect(await work()).toEqual([])
  })

  test('an account’s mails of a day have an end; those beyond say that they were dropped', async () => {
    await app.pool.query('insert into mail_count values ($1, $2, 59)', [
      `summaries ${user.userId}`,
      app.clock.now().toISOString().slice(0, 10),
    ])
    await newSummaryAddress(app, user)
    const campaignId = await completed(user)
    await queueSummaryMails(app)
    expect(await work()).toHaveLength(1)
    expect((await readOf(user)).mails.map(({ state }) => state).toSorted()).toEqual(['dropped', 'sent'])
    const addressIds = (await readOf(user)).addresses.map(({ addressId }) => addressId)
    const written = { formats: 'pdf', language: 'en', calendar: 'ad' }
    const asked = await post(user, '/api/obd/campaign/summary/mail', { campaignId, addressIds, ...written })
    expect([asked.statusCode, errorOf(asked)?.code]).toEqual([409, 'too_many'])
    expect((await readOf(user)).mails, 'all or none').toHaveLength(2)
    expect((await readOf(user)).mailsToday).toBe(60)
  })

  test('a campaign that was complete while nothing could be mailed is no news a day later', async () => {
    await completed(user)
    await queueSummaryMails({ ...app, mail: null })
    app.clock.advance(23 * 3600_000)
    await forgetOldSummaryMails(app)
    await queueSummaryMails(app)
    expect(await work(), 'still news').toHaveLength(1)
    await completed(user)
    app.clock.advance(25 * 3600_000)
    await forgetOldSummaryMails(app)
    await queueSummaryMails(app)
    expect(await work()).toEqual([])
  })

  test('what was tried and tried again is given up', async () => {
    await completed(user)
    await queueSummaryMails(app)
    const mailIds = await queuedMails()
    await giveUpSummaryMails(app, mailIds)
    expect((await readOf(user)).mails).toMatchObject([{ state: 'failed', reason: 'notTaken' }])
  })
})

describe('every day', () => {
  const nepalDay = (back: number) =>
    new Date(app.clock.now().getTime() + 20_700_000 - back * day).toISOString().slice(0, 10)

  test('one mail has a page for each campaign that called the day before, at the hour, once', async () => {
    await choose(user, { dailyHour: 8, onCompletion: false, language: 'ne', calendar: 'bs' })
    await newSummaryAddress(app, user)
    const names = ['First', 'Second']
    for (const [n, name] of names.entries()) await calledOn(user, await completed(user, name), nepalDay(0), 10 - n)
    await queueSummaryMails(app)
    expect(await work(), 'eight o’clock was over when it was chosen').toEqual([])
    app.clock.advance(22 * 3600_000) // 07:15
    await queueSummaryMails(app)
    expect(await work(), 'not yet').toEqual([])
    app.clock.advance(3600_000)
    await Promise.all([queueSummaryMails(app), queueSummaryMails(app)])
    const [mail, ...others] = await work()
    expect(others).toEqual([])
    expect(mail?.text).toContain('मा कल गरेका अभियान: २।')
    const pdf = mail?.attachments?.[0]?.content.toString('latin1') ?? ''
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2)
    const csv = mail?.attachments?.[1]?.content.toString() ?? ''
    expect(csv.indexOf('First')).toBeLessThan(csv.indexOf('Second'))
    await queueSummaryMails(app)
    app.clock.advance(day)
    await queueSummaryMails(app)
    expect(await work(), 'nobody was called meanwhile').toEqual([])
  })
})

test('by the button, a campaign’s summary goes to the chosen addresses at once, as often as the day allows', async () => {
  const addressId = await newSummaryAddress(app, user)
  const campaignId = await completed(user)
  const send = () =>
    post(user, '/api/obd/campaign/summary/mail', {
      campaignId,
      addressIds: [addressId, addressId],
      formats: 'csv',
      language: 'en',
      calendar: 'ad',
    })
  expect([(await send()).statusCode, (await send()).statusCode]).toEqual([200, 200])
  expect(await work()).toHaveLength(2)
  const lines = await app.db
    .selectFrom('audit_log')
    .select('action')
    .where('target', '=', `campaign ${campaignId}`)
    .execute()
  expect(lines).toEqual([{ action: 'summary.mail' }, { action: 'summary.mail' }])
  app.clock.advance(100 * day)
  await forgetOldSummaryMails(app)
  expect((await readOf(user)).mails).toEqual([])
})
