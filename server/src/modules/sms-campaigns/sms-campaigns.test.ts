import type { SmsCampaignRow, SmsReportRow } from '@ghanti/contract/sms-campaigns.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newPlan, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'

const app = await testApp()
let http: FastifyInstance
let boss: Viewer
let reseller: Viewer
let user: Viewer
let stranger: Viewer
beforeAll(async () => {
  http = await testHttp(app)
  app.clock.set(new Date('2026-11-22T06:15:00Z'))
  boss = await newSuperAdmin(app, { username: 'Boss' })
  const planId = await newPlan(app)
  reseller = await newReseller(app, { parent: boss, username: 'Himal', planId, rupees: 1000 })
  user = await newUser(app, { parent: reseller, username: 'Gita', planId, rupees: 1000 })
  stranger = await newUser(app, { username: 'Stranger' })
})

async function call<T = unknown>(viewer: Viewer, method: 'GET' | 'POST', url: string, payload?: object) {
  const reply = await http.inject({ method, url, headers: await signedIn(app, viewer), ...(payload && { payload }) })
  return { status: reply.statusCode, said: reply.json<T>() }
}
type Refusal = { message: string; errors: { field: string; text: string }[] }
const problemsOf = ({ said }: { said: Refusal }) => said.errors.map(({ field, text }) => `${field} ${text}`)

describe('lists', () => {
  test('a user sees the own campaigns, a reseller those below, a super admin all; a stranger none of them', async () => {
    const id = await newSmsCampaign(app, user, { name: 'Seen by three' })
    const seen = async (viewer: Viewer) =>
      (await call<SmsCampaignRow[]>(viewer, 'GET', `/app/sms/campaigns/${viewer.userId}?search=seen by`)).said.map(
        ({ campaignId }) => campaignId,
      )
    expect([await seen(user), await seen(reseller), await seen(boss), await seen(stranger)]).toEqual([
      [id],
      [id],
      [id],
      [],
    ])
    expect((await call(stranger, 'GET', `/app/sms/campaign/summary/${id}`)).status).toBe(404)
  })

  test('campaigns are sorted by id descending, searched, filtered and exported', async () => {
    const owner = await newUser(app, { parent: reseller })
    const [a, b] = [
      await newSmsCampaign(app, owner, { name: 'Alpha', status: 'complete', messages: [{ state: 'delivered' }] }),
      await newSmsCampaign(app, owner, { name: 'Beta', status: 'running' }),
    ]
    const ids = async (query = '') =>
      (await call<SmsCampaignRow[]>(owner, 'GET', `/app/sms/campaigns/${owner.userId}${query}`)).said.map(
        ({ campaignId }) => campaignId,
      )
    expect(await ids()).toEqual([b, a])
    expect(await ids('?sort=campaignName')).toEqual([a, b])
    expect(await ids('?sort=smsSubmitted&order=desc')).toEqual([a, b])
    expect(await ids('?search=alph')).toEqual([a])
    expect(await ids('?search=complete')).toEqual([a])
    expect(await ids('?status=running')).toEqual([b])
    expect(await ids('?created=today')).toEqual([])
    expect(await ids('?values=waiting')).toEqual([])
    await app.db.updateTable('sms_campaign').set({ unapproved: 2 }).where('id', 'in', [a, b]).execute()
    expect(await ids('?values=waiting'), 'nobody decides on one that is over').toEqual([b])
    const csv = await http.inject({
      url: `/app/sms/campaigns/${owner.userId}/sms_campaign_summary.csv?status=complete`,
      headers: await signedIn(app, owner),
    })
    expect(csv.body.split('\r\n')[0]).toContain(
      'Campaign Name,Campaign Status,Schedule Time,Numbers Uploaded,SMS Submitted',
    )
    expect(csv.body).toContain('Alpha,Complete')
    expect(csv.body).not.toContain('Beta')
  })
})

describe('report', () => {
  test('refused lines are downloaded with their reasons, those of the text and those of the file, by whoever sees the campaign', async () => {
    const id = await newSmsCampaign(app, user, { name: 'With refused ones', status: 'running' })
    const { base_id } = await app.db
      .updateTable('sms_campaign_detail')
      .set({ rows_in_file: 20_005, invalid: 20_003, duplicate: 1 })
      .where('campaign_id', '=', id)
      .returning('base_id')
      .executeTakeFirstOrThrow()
    const baseId = Number(base_id)
    await app.db.updateTable('base').set({ refused: 20_002 }).where('id', '=', baseId).execute()
    await app.db
      .insertInto('base_refused')
      .values({ base_id: baseId, line: 2, text: 'abc', reason: 'is no number' })
      .execute()
    const ofText = [
      { campaign_id: id, line: 1, text: '9841000001', reason: 'its text is empty' },
      { campaign_id: id, line: 3, text: '9841000002', reason: 'the same as line 1' },
    ]
    await app.db.insertInto('sms_refused').values(ofText).execute()
    const url = `/app/sms/campaign/refused/${id}/refused.csv`
    const get = async (viewer: Viewer) => http.inject({ url, headers: await signedIn(app, viewer) })
    expect((await get(user)).body.replace('\uFEFF', '').trim().split('\r\n')).toEqual([
      'Line,Row,Reason',
      '1,9841000001,its text is empty',
      '2,abc,is no number',
      '3,9841000002,the same as line 1',
      expect.stringContaining('the first 10,000 of 20,002 rows refused for their number or length'),
    ])
    expect((await get(reseller)).statusCode).toBe(200)
    expect((await get(stranger)).statusCode).toBe(404)
    const { said } = await call<{ refusedKept: number }>(user, 'GET', `/app/sms/campaign/summary/${id}`)
    expect(said.refusedKept).toBe(10_002)
  })

  const states = ['fresh', 'submitted', 'delivered', 'failed', 'expired', 'unknown', 'dnd', 'unreachable'] as const

  test('each message has its number, sender ID, times, status and reason', async () => {
    const messages = states.map((state) => ({ state, ...(state === 'failed' && { reason: 'absent subscriber' }) }))
    const id = await newSmsCampaign(app, user, { messages })
    const { said } = await call<{ campaignId: number; rows: SmsReportRow[] }>(
      user,
      'GET',
      `/app/sms/campaign/report/${id}`,
    )
    expect(said.campaignId).toBe(id)
    expect(said.rows.map(({ deliveryStatus }) => deliveryStatus)).toEqual([
      'Unreachable',
      'DND',
      'Unknown',
      'Expired',
      'Failed',
      'Delivered',
      'Submitted',
      'Waiting',
    ])
    expect(said.rows[4]).toMatchObject({ msisdn: '9841000003', cli: 'GHANTI', row: 5, reason: 'absent subscriber' })
    const filtered = await call<{ rows: SmsReportRow[] }>(
      user,
      'GET',
      `/app/sms/campaign/report/${id}?deliveryStatus=Failed,DND`,
    )
    expect(filtered.said.rows.map(({ deliveryStatus }) => deliveryStatus)).toEqual(['DND', 'Failed'])
    const searched = await call<{ rows: SmsReportRow[] }>(
      user,
      'GET',
      `/app/sms/campaign/report/${id}?search=9841000003`,
    )
    expect(searched.said.rows).toHaveLength(1)
  })

  test('messages of a status are paged, and as many as the counters know; of none there is an empty page', async () => {
    const messages = (['delivered', 'failed', 'waiting', 'fresh'] as const).flatMap((state) =>
      Array.from({ length: state === 'failed' ? 3 : 12 }, () => ({ state })),
    )
    const id = await newSmsCampaign(app, user, { messages })
    const page = async (query: string) => {
      const url = `/app/sms/campaign/report/${id}?${query}`
      const reply = await http.inject({ url, headers: await signedIn(app, user) })
      const { rows } = reply.json<{ rows: SmsReportRow[] }>()
      return { total: reply.headers['x-total-count'], statuses: rows.map(({ deliveryStatus }) => deliveryStatus) }
    }
    expect(await page('deliveryStatus=Failed&pageSize=10')).toEqual({ total: '3', statuses: Array(3).fill('Failed') })
    expect(await page('deliveryStatus=Waiting&pageSize=10&page=3')).toEqual({
      total: '24',
      statuses: Array(4).fill('Waiting'),
    })
    expect(await page('deliveryStatus=Failed,Delivered&pageSize=10&page=2')).toMatchObject({
      total: '15',
      statuses: { length: 5 },
    })
    expect(await page('deliveryStatus=Unknown')).toEqual({ total: '0', statuses: [] })
  })

  test('the cost of a message is the sum of everything that was sent of it', async () => {
    const id = await newSmsCampaign(app, user, { messages: [{ state: 'delivered', phone: 9_779_841_777_777 }] })
    for (const sms_id of [900_001, 900_002])
      await app.db
        .insertInto('sms_sent')
        .values({
          id: sms_id,
          claimed_at: new Date(),
          campaign_id: id,
          no: 0,
          account_id: user.userId,
          gateway_id: 1,
          phone: 9_779_841_777_777,
          operator: 1,
          result: 'accepted',
          segments: 1,
          accepted: 1,
          cost_paisa: 150,
        })
        .execute()
    const { said } = await call<{ rows: SmsReportRow[] }>(user, 'GET', `/app/sms/campaign/report/${id}`)
    expect(said.rows[0]?.cost).toBe(3)
    const url = `/app/sms/campaign/report/${id}/sms-report.csv`
    const csv = await http.inject({ url, headers: await signedIn(app, user) })
    expect(csv.body).toContain(',3.00,')
  })

  test('the download has every message, in the columns of the screen first', async () => {
    const id = await newSmsCampaign(app, user, { messages: [{ state: 'delivered' }, { state: 'failed' }] })
    const url = `/app/sms/campaign/report/${id}/sms-report.csv`
    const csv = await http.inject({ url, headers: await signedIn(app, user) })
    expect(csv.headers['content-disposition']).toMatch(/ messages \d{4}-\d\d-\d\d\.csv/)
    const lines = csv.body.trim().split('\r\n')
    expect(lines[0]).toMatch(/^\ufeff?Mobile No\.,Sender Id,Submit Time,Delivery Time,Delivery Status,/)
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('9841000001,GHANTI,')
  })

  test('a report that fails says error beside message', async () => {
    const { status, said } = await call(stranger, 'GET', `/app/sms/campaign/report/${await newSmsCampaign(app, user)}`)
    expect([status, said]).toEqual([404, { message: 'No data found', error: 'No data found' }])
  })
})

describe('actions', () => {
  const act = (viewer: Viewer, action: string, campaignId: number, reason?: string) =>
    call<Refusal>(viewer, 'POST', `/app/sms/campaign/${action}`, { campaignId, ...(reason && { reason }) })
  const statusOf = async (id: number) =>
    await app.db
      .selectFrom('sms_campaign')
      .select(['status', 'reason', 'hold_cause'])
      .where('id', '=', id)
      .executeTakeFirst()

  test('the owner pauses, resumes and stops', async () => {
    const id = await newSmsCampaign(app, user)
    expect((await act(user, 'pause', id)).status).toBe(200)
    expect((await statusOf(id))?.status).toBe('pausing')
    expect((await act(user, 'resume', id)).status).toBe(200)
    expect((await statusOf(id))?.status).toBe('resuming')
    expect((await act(user, 'stop', id)).status).toBe(200)
    expect((await statusOf(id))?.status).toBe('cancelling')
    const { status, said } = await act(user, 'stop', id)
    expect([status, said.message]).toEqual([409, 'Request Failed!! Please try again'])
    const { said: summary } = await call<{ history: object[] }>(user, 'GET', `/app/sms/campaign/summary/${id}`)
    expect(summary.history).toMatchObject([
      { from: 10, to: 6, by: 'Gita' },
      { from: 8, to: 10, by: 'Gita' },
      { from: 1, to: 8, by: 'Gita' },
    ])
  })

  test('somebody above holds it with a reason, which only that one or somebody above lifts', async () => {
    const id = await newSmsCampaign(app, user)
    expect(problemsOf(await act(reseller, 'pause', id))).toEqual(['reason is required: the owner reads it'])
    expect((await act(reseller, 'pause', id, 'complaints')).status).toBe(200)
    expect(await statusOf(id)).toEqual({
      status: 'onHold',
      reason: 'Paused by an administrator: complaints',
      hold_cause: 'administrator',
    })
    expect((await act(user, 'resume', id)).status).toBe(409)
    expect((await act(boss, 'resume', id)).status).toBe(200)
  })

  test('several are paused, resumed and stopped at once, each checked separately', async () => {
    const [one, two] = [await newSmsCampaign(app, user), await newSmsCampaign(app, user)]
    const [foreign, over] = [
      await newSmsCampaign(app, stranger),
      await newSmsCampaign(app, user, { status: 'complete' }),
    ]
    const all = async (as: Viewer, action: string, campaignIds: number[], reason?: string) => {
      type Said = { message: string; results?: { status: number }[] }
      const { status, said } = await call<Said>(as, 'POST', `/app/sms/campaigns/${action}`, { campaignIds, reason })
      return [status, said.message, said.results?.map((one) => one.status)]
    }
    expect(await all(user, 'pause', [one, foreign, two, over])).toEqual([200, '2 of 4 done', [200, 404, 200, 409]])
    expect([(await statusOf(one))?.status, (await statusOf(two))?.status]).toEqual(['pausing', 'pausing'])
    expect(await all(user, 'resume', [one, two])).toEqual([200, 'Success', [200, 200]])
    expect(await all(reseller, 'stop', [one, two])).toEqual([400, 'Parameters Incorrect', undefined])
    expect(await all(reseller, 'stop', [one, two], 'complaints')).toEqual([200, 'Success', [200, 200]])
    expect(await statusOf(two)).toMatchObject({
      status: 'cancelling',
      reason: 'Stopped by an administrator: complaints',
    })
  })

  test('a complete campaign is retried once, when a message of it failed', async () => {
    const id = await newSmsCampaign(app, user, { status: 'complete', messages: [{ state: 'failed' }] })
    const twice = await Promise.all([act(user, 'retry', id), act(user, 'retry', id)])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const unknown = await newSmsCampaign(app, user, { status: 'complete', messages: [{ state: 'unknown' }] })
    expect(problemsOf(await act(user, 'retry', unknown))).toEqual([
      'campaignId has no message left that failed or expired',
    ])
  })
})
