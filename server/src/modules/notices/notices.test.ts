import { mintId } from '../../db/platform-accounts.ts'
import type { NoticeRow } from '@ghanti/contract/notices.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '../../db/db.ts'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign, newPrompt } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { newLine, newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { moveCredits } from '../credits/actions-move.ts'
import { forgetOldNotices } from './actions.ts'
import { page, unreadNoticesOf } from './store.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com' })
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
const post = async (viewer: Viewer, url: string, payload: object) =>
  http.inject({ method: 'POST', url, payload, headers: await signedIn(app, viewer) })
const noticesOf = async (viewer: Viewer, query = '') =>
  (await get(viewer, `/api/obd/notices${query}`)).json<NoticeRow[]>()

/** Credits return to the mint, as when an administrator takes them or calls lower a balance. */
const take = (from: Viewer, rupees: number) =>
  app.db.transaction().execute(async (tx) => {
    const payeeId = await mintId(tx)
    const movement = {
      payerId: from.userId,
      payeeId,
      paisa: rupees * 100,
      action: 'credit_remove',
      byUserId: null,
    } as const
    await moveCredits(tx, movement)
  })

describe('an SMS campaign', () => {
  const move = (campaignId: number, to: object) =>
    app.db.updateTable('sms_campaign').set(to).where('id', '=', campaignId).execute()

  test('tells its owner when it is complete, out of money, on hold with the reason, failed; not each night, nor of the owner’s own pause', async () => {
    const user = await newUser(app)
    const campaignId = await newSmsCampaign(app, user, { name: 'Tihar' })
    const held = { status: 'onHold', hold_cause: 'disabled', reason: 'the account is disabled' }
    for (const [to, kind] of [
      [{ status: 'onHold', hold_cause: 'hours', reason: 'outside the hours' }, null],
      [{ status: 'running', hold_cause: null, reason: null }, null],
      [{ status: 'pausing' }, null],
      [held, 'smsHeld'],
      [{ status: 'lowBalance', hold_cause: null, reason: 'the next message costs Rs 1.50' }, 'smsOutOfMoney'],
      [{ status: 'failed', reason: 'its file is gone' }, 'smsFailed'],
      [{ status: 'complete', reason: null }, 'smsComplete'],
    ] as const) {
      const before = (await noticesOf(user)).length
      await move(campaignId, to)
      const after = await noticesOf(user)
      expect(after.length - before, to.status).toBe(kind === null ? 0 : 1)
      if (kind) expect(after[0]).toMatchObject({ kind, about: 'Tihar', subjectId: campaignId })
    }
    expect((await noticesOf(user)).find(({ kind }) => kind === 'smsHeld')?.reason).toBe('the account is disabled')
  })

  test('tells its owner that an administrator stopped it, with the reason; what the owner stops is no news', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    const campaignId = await newSmsCampaign(app, user, { name: 'Chhath' })
    const own = await newSmsCampaign(app, user)
    expect((await post(reseller, '/app/sms/campaign/stop', { campaignId, reason: 'complaints' })).statusCode).toBe(200)
    expect((await post(user, '/app/sms/campaign/stop', { campaignId: own })).statusCode).toBe(200)
    expect(await noticesOf(user)).toMatchObject([
      { kind: 'smsStopped', about: 'Chhath', reason: 'Stopped by an administrator: complaints' },
    ])
  })
})

describe('low balance', () => {
  test('is sent once, when the balance crosses the account’s limit, to its owner and to whoever gives the owner credits', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller, rupees: 300 })
    await take(user, 200)
    expect(await noticesOf(user)).toEqual([]) // Rs 100 is not below Rs 100
    await take(user, 0.01)
    expect(await noticesOf(user)).toMatchObject([
      { kind: 'lowBalance', subjectId: user.userId, about: user.username, balance: 99.99, read: false, times: 1 },
    ])
    expect(await noticesOf(reseller)).toMatchObject([
      { kind: 'childLowBalance', subjectId: user.userId, about: user.username, balance: 99.99 },
    ])
    await take(user, 50)
    expect(await noticesOf(user)).toHaveLength(1)
  })

  test('has a limit of each account’s own', async () => {
    const user = await newUser(app, { rupees: 1000 })
    const reply = await post(user, '/api/obd/notices/choices', { choices: [], lowBalanceLimit: '500' })
    expect(reply.statusCode).toBe(200)
    await take(user, 450)
    expect(await noticesOf(user)).toEqual([])
    await take(user, 100)
    expect(await noticesOf(user)).toMatchObject([{ balance: 450 }])
    expect((await get(user, '/api/obd/notices/choices')).json()).toMatchObject({ lowBalanceLimit: 500 })
  })

  test('is not sent when what lowered the balance is rolled back', async () => {
    const user = await newUser(app, { rupees: 150 })
    const undone = app.db.transaction().execute(async (tx) => {
      await tx.updateTable('account').set({ balance_paisa: 100 }).where('id', '=', user.userId).execute()
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await noticesOf(user)).toEqual([])
  })

  test('counts what calls earned and nobody has swept yet', async () => {
    const reseller = await newReseller(app, { rupees: 150 })
    await app.db.insertInto('account_income').values({ account_id: reseller.userId, slot: 0, paisa: 100_000 }).execute()
    await app.db.updateTable('account').set({ balance_paisa: 50 }).where('id', '=', reseller.userId).execute()
    expect(await noticesOf(reseller)).toEqual([])
  })
})

describe('a campaign', () => {
  const move = (campaignId: number, to: object) =>
    app.db.updateTable('campaign').set(to).where('id', '=', campaignId).execute()
  const held = { status: 'onHold', hold_cause: 'trunk', reason: 'trunk North is on hold' }

  test('tells its owner when it is complete, out of money, on hold with the reason, failed; not each night, nor of the owner’s own pause', async () => {
    const user = await newUser(app)
    const campaignId = await newCampaign(app, user, { name: 'Dashain' })
    for (const [to, kind] of [
      [{ status: 'onHold', hold_cause: 'hours', reason: 'outside calling hours' }, null],
      [{ status: 'running', hold_cause: null, reason: null }, null],
      [{ status: 'pausing' }, null],
      [held, 'campaignHeld'],
      [{ status: 'lowBalance', hold_cause: null, reason: 'one call may cost Rs 16' }, 'campaignOutOfMoney'],
      [{ status: 'failed', reason: 'its trunk was removed' }, 'campaignFailed'],
      [{ status: 'complete', reason: null }, 'campaignComplete'],
    ] as const) {
      const before = (await noticesOf(user)).length
      await move(campaignId, to)
      const after = await noticesOf(user)
      expect(after.length - before, to.status).toBe(kind === null ? 0 : 1)
      if (kind) expect(after[0]).toMatchObject({ kind, about: 'Dashain', subjectId: campaignId })
    }
    expect((await noticesOf(user)).find(({ kind }) => kind === 'campaignHeld')?.reason).toBe('trunk North is on hold')
  })

  test('that comes and goes is one notice, until it is read or an hour is over', async () => {
    const user = await newUser(app)
    const campaignId = await newCampaign(app, user)
    const bounce = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await move(campaignId, held)
        await move(campaignId, { status: 'running', hold_cause: null, reason: null })
      }
    }
    await bounce(5)
    const [first] = await noticesOf(user)
    expect(await noticesOf(user)).toMatchObject([{ kind: 'campaignHeld', times: 5 }])
    await post(user, '/api/obd/notices/read', { noticeId: first?.noticeId })
    await bounce(2)
    expect((await noticesOf(user)).map(({ times, read }) => [times, read])).toEqual([
      [2, false],
      [5, true],
    ])
    const hourAgo = new Date(Date.now() - 61 * 60_000)
    await app.db.updateTable('notice').set({ first_at: hourAgo }).where('user_id', '=', user.userId).execute()
    await bounce(1)
    expect(await noticesOf(user)).toHaveLength(3)
  })

  test('is sent once although ten connections change the balance at once', async () => {
    const user = await newUser(app)
    const campaignId = await newCampaign(app, user)
    const moved = Array.from({ length: 10 }, () =>
      app.db
        .updateTable('campaign')
        .set(held as object)
        .where('id', '=', campaignId)
        .execute(),
    )
    await Promise.all(moved)
    expect(await noticesOf(user)).toMatchObject([{ times: 1 }])
  })

  test('that an administrator stops tells its owner why; one that the owner stops tells nothing', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    const [stopped, own] = [await newCampaign(app, user), await newCampaign(app, user)]
    await post(reseller, '/api/obd/campaign/stop', { campaignId: stopped, reason: 'complaints' })
    await post(user, '/api/obd/campaign/stop', { campaignId: own })
    expect(await noticesOf(user)).toMatchObject([
      { kind: 'campaignStopped', subjectId: stopped, reason: 'Stopped by an administrator: complaints' },
    ])
  })
})

test('the owner of a voice file is told what was decided, with the reason', async () => {
  const [boss, user] = [await newSuperAdmin(app), await newUser(app)]
  const [good, bad] = [
    await newPrompt(app, user, { status: 'pending', name: 'Good' }),
    await newPrompt(app, user, { status: 'pending', name: 'Bad' }),
  ]
  await post(boss, `/api/obd/prompt/approve/${good}`, {})
  await post(boss, `/api/obd/prompt/reject/${bad}`, { reason: 'too loud' })
  expect(await noticesOf(user)).toMatchObject([
    { kind: 'promptRejected', about: 'Bad', reason: 'too loud', subjectId: bad },
    { kind: 'promptApproved', about: 'Good', reason: null, subjectId: good },
  ])
})

test('the owner of a voice pack is told what was decided, with the reason; nobody is told of the platform’s', async () => {
  const [boss, reseller] = [await newSuperAdmin(app), await newReseller(app)]
  const recorded = async (name: string, owner: Viewer | null) => {
    const pack = { owner_id: owner?.userId ?? null, name, language: 'ne', change_no: 1 }
    const { id } = await app.db.insertInto('voice_pack').values(pack).returning('id').executeTakeFirstOrThrow()
    const word = { pack_id: id, key: '1', pending_hash: 'a'.repeat(64), pending_ms: 200 }
    await app.db.insertInto('voice_pack_word').values(word).execute()
    return id
  }
  const [good, bad, own] = [
    await recorded('Sita', reseller),
    await recorded('Gita', reseller),
    await recorded('House', null),
  ]
  for (const id of [good, own]) await post(boss, `/api/obd/voice-pack/approve/${id}`, { change: 1 })
  await post(boss, `/api/obd/voice-pack/reject/${bad}`, { change: 1, reason: 'too loud' })
  expect(await noticesOf(reseller)).toMatchObject([
    { kind: 'voicePackRejected', about: 'Gita', reason: 'too loud', subjectId: bad },
    { kind: 'voicePackApproved', about: 'Sita', reason: null, subjectId: good },
  ])
  expect(await app.db.selectFrom('notice').select('user_id').where('about', '=', 'House').execute()).toEqual([])
})

test('a report’s asker gets a notice when it is ready', async () => {
  const reseller = await newReseller(app)
  const user = await newUser(app, { parent: reseller })
  const campaignId = await newCampaign(app, user, { status: 'complete', name: 'Tihar' })
  await app.db
    .insertInto('report')
    .values({ campaign_id: campaignId, status: 'making', requested_by: reseller.userId })
    .execute()
  await app.db.updateTable('report').set({ status: 'ready' }).where('campaign_id', '=', campaignId).execute()
  expect(await noticesOf(reseller)).toMatchObject([{ kind: 'reportReady', about: 'Tihar', subjectId: campaignId }])
  expect(await noticesOf(user)).toEqual([])
})

test('super admins are told when a trunk goes down, not at each probe of it', async () => {
  const boss = await newSuperAdmin(app)
  const { trunkId } = await newLine(app)
  const down = { held_since: new Date(), hold_reason: '10 calls running failed: SIP 503', probes: 0 }
  await app.db
    .insertInto('trunk_health')
    .values({ trunk_id: trunkId, ...down })
    .execute()
  await app.db
    .updateTable('trunk_health')
    .set({ ...down, probes: 1 })
    .where('trunk_id', '=', trunkId)
    .execute()
  expect(await noticesOf(boss)).toMatchObject([
    { kind: 'trunkDown', subjectId: trunkId, reason: '10 calls running failed: SIP 503', times: 1 },
  ])
})

describe('the list', () => {
  test('is everybody’s own, searched, paged, and read one by one or all at once', async () => {
    const [user, other] = [await newUser(app), await newUser(app)]
    for (const name of ['Dashain', 'Tihar', 'Holi'])
      await app.db
        .updateTable('campaign')
        .set({ status: 'complete' })
        .where('id', '=', await newCampaign(app, user, { name }))
        .execute()
    const page = await get(user, '/api/obd/notices?page=1&pageSize=2')
    expect([page.headers['x-total-count'], page.json<NoticeRow[]>().map(({ about }) => about)]).toEqual([
      '3',
      ['Holi', 'Tihar'],
    ])
    expect(await noticesOf(user, '?search=dash')).toMatchObject([{ about: 'Dashain' }])
    expect(await noticesOf(user, '?search=100%25')).toEqual([])
    expect(await noticesOf(other)).toEqual([])
    const [newest] = await noticesOf(user)
    expect((await post(other, '/api/obd/notices/read', { noticeId: newest?.noticeId })).statusCode).toBe(404)
    await post(user, '/api/obd/notices/read', { noticeId: newest?.noticeId })
    expect((await noticesOf(user)).map(({ read }) => read)).toEqual([true, false, false])
    await post(user, '/api/obd/notices/readall', {})
    expect((await noticesOf(user)).every(({ read }) => read)).toBe(true)
  })

  test('forgets what is older than ninety days', async () => {
    const user = await newUser(app)
    for (const [about, days] of [
      ['old', 91],
      ['young', 89],
    ] as const) {
      const at = new Date(Date.now() - days * 24 * 3600_000)
      const notice = { user_id: user.userId, kind: 'reportReady', subject_id: 1, shown: true, mail_due: false } as const
      await app.db
        .insertInto('notice')
        .values({ ...notice, about, at, first_at: at })
        .execute()
    }
    await forgetOldNotices(app)
    expect(await noticesOf(user)).toMatchObject([{ about: 'young' }])
  })
})

test('of hundreds of thousands of notices a search and a filter look at the newest ten thousand of the days chosen', async () => {
  const user = await newUser(app)
  await sql`insert into notice (user_id, kind, subject_id, about, shown, mail_due, at)
    select ${user.userId}, 'reportReady', n, case when n % 6000 = 5999 then 'Tihar offer' else 'Dashain' end, true, false, now() - n * interval '1 second'
      from generate_series(1, 30000) n`.execute(app.db)
  const found = await get(user, '/api/obd/notices?search=tihar')
  expect([found.json<NoticeRow[]>().length, found.headers['x-total-exact']]).toEqual([1, 'false'])
  expect(await noticesOf(user, '?kind=reportReady&search=tihar')).toHaveLength(1)
  const all = await get(user, '/api/obd/notices?state=unread&pageSize=1')
  expect(all.headers['x-total-count']).toBe('10000')
})

test('where nearly all notices go by mail only, the list and the number of unread ones read few blocks', async () => {
  const user = await newUser(app)
  await sql`insert into notice (user_id, kind, subject_id, about, shown, mail_due, at, mailed_at)
    select ${user.userId}, 'reportReady', n, 'Dashain', n > 30000, false, now() - n * interval '1 second', case when n <= 30000 then now() end
      from generate_series(1, 30200) n`.execute(app.db)
  await sql`vacuum analyze notice`.execute(app.db)
  const fetched = async (tx: Tx): Promise<number> => {
    const { rows } = await sql<{ blocks: number }>`
      select sum(pg_stat_get_xact_blocks_fetched(c.oid))::int as blocks from pg_class c
       where c.oid = 'notice'::regclass or c.oid in (select indexrelid from pg_index where indrelid = 'notice'::regclass)`.execute(
      tx,
    )
    return rows[0]?.blocks ?? 0
  }
  const blocksOf = async <T>(read: (tx: Tx) => Promise<T>): Promise<{ blocks: number; found: T }> =>
    await app.db.transaction().execute(async (tx) => {
      const before = await fetched(tx) // of this connection since its figures were last handed on, which is not at every commit
      const found = await read(tx)
      return { blocks: (await fetched(tx)) - before, found }
    })
  const first = await blocksOf((tx) => page(tx, user.userId, {}, { pageSize: 10 }))
  const next = await blocksOf((tx) => page(tx, user.userId, {}, { pageSize: 10, after: first.found.next ?? '' }))
  const filtered = await blocksOf((tx) => page(tx, user.userId, { state: 'unread' }, { pageSize: 10 }))
  const unread = await blocksOf((tx) => unreadNoticesOf(tx, [user.userId]))
  expect(first.found).toMatchObject({ total: 200, exact: true })
  expect([first, next, filtered].map(({ found }) => found.rows.length)).toEqual([10, 10, 10])
  expect(unread.found).toMatchObject([{ unread: 100 }])
  for (const { blocks } of [first, next, filtered, unread]) expect(blocks).toBeLessThan(60)
})
