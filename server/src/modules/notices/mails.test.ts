import { noticeKindsOf, type NoticeKind, type NoticeRow } from '@ghanti/contract/notices.ts'
import { languages } from '@ghanti/contract/templates.ts'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'
import { queueNoticeMails, sendNoticeMail } from './actions-mail.ts'
import { giveNotice } from './actions.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com' })
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

const get = async (viewer: Viewer, url: string) => http.inject({ url, headers: await signedIn(app, viewer) })
const post = async (viewer: Viewer, url: string, payload: object) =>
  http.inject({ method: 'POST', url, payload, headers: await signedIn(app, viewer) })
const noticesOf = async (viewer: Viewer) => (await get(viewer, '/api/obd/notices')).json<NoticeRow[]>()
const kinds = async (viewer: Viewer) => (await noticesOf(viewer)).map(({ kind }) => kind)
const choose = (viewer: Viewer, kind: NoticeKind, how: { onScreen: boolean; byMail: boolean }) =>
  post(viewer, '/api/obd/notices/choices', { choices: [{ kind, ...how }] })

describe('by choice', () => {
  const complete = async (user: Viewer) => {
    const campaignId = await newCampaign(app, user)
    await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', campaignId).execute()
  }
  async function mails(): Promise<{ to: string; subject: string; text: string }[]> {
    app.mail.sent.length = 0
    await app.pool.query("delete from pgboss.job where name = 'notice-mail'")
    await queueNoticeMails(app)
    const { rows } = await app.pool.query<{ data: { userId: number; noticeIds: number[] } }>(
      "select data from pgboss.job where name = 'notice-mail'",
    )
    for (const { data } of rows) await sendNoticeMail(app, data)
    return app.mail.sent
  }

  test('every kind of the role is on screen and goes by no mail', async () => {
    for (const [viewer, count] of [
      [await newUser(app), 25],
      [await newReseller(app), 10],
      [await newSuperAdmin(app), 5],
    ] as const) {
      const { choices, mailAddress } = (await get(viewer, '/api/obd/notices/choices')).json()
      expect(choices).toHaveLength(count)
      expect(choices).toContainEqual({ kind: 'reportReady', onScreen: true, byMail: false })
      expect(mailAddress).toBe(`${viewer.username}@example.com`)
    }
  })

  test('a kind can go by mail too, by mail alone, or not at all', async () => {
    const user = await newUser(app)
    await choose(user, 'campaignComplete', { onScreen: true, byMail: true })
    await complete(user)
    expect(await kinds(user)).toEqual(['campaignComplete'])
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: `${user.username}@example.com` })
    expect(mail?.subject).toBe('Campaign complete')
    expect(mail?.text).toContain('https://calls.example.com/notices')
    expect(await mails(), 'no notice goes twice').toEqual([])

    const quiet = await newUser(app)
    await choose(quiet, 'campaignComplete', { onScreen: false, byMail: true })
    await complete(quiet)
    expect(await kinds(quiet)).toEqual([])
    expect(await mails()).toHaveLength(1)
    await choose(quiet, 'campaignComplete', { onScreen: false, byMail: false })
    await complete(quiet)
    app.clock.advance(6 * 60_000)
    expect(await mails()).toEqual([])
  })

  test('a mail to somebody whose account is stopped says that campaigns wait, and nothing else', async () => {
    const reseller = await newReseller(app)
    const user = await newUser(app, { parent: reseller })
    const notice = { user_id: user.userId, subject_id: 1, about: 'Dashain', shown: true, mail_due: false }
    const ids = await app.db
      .insertInto('notice')
      .values([
        { ...notice, kind: 'reportReady' },
        { ...notice, kind: 'campaignHeld' },
      ])
      .returning('id')
      .execute()
    const job = { userId: user.userId, noticeIds: ids.map(({ id }) => id) }
    await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', reseller.userId).execute()
    app.mail.sent.length = 0
    await sendNoticeMail(app, job)
    expect(app.mail.sent).toMatchObject([{ subject: 'Campaign on hold' }])
    await sendNoticeMail(app, { ...job, noticeIds: job.noticeIds.slice(0, 1) })
    expect(app.mail.sent).toHaveLength(1)
  })

  test('a mail speaks the language that its reader chose; English until then', async () => {
    const user = await newUser(app)
    const holds = { status: 'onHold', hold_cause: 'trunk', reason: 'dialer North was removed' } as const
    const hold = async () => {
      const campaignId = await newCampaign(app, user, { name: 'दशैं' })
      await app.db.updateTable('campaign').set(holds).where('id', '=', campaignId).execute()
      app.clock.advance(6 * 60_000)
      return (await mails())[0]
    }
    await choose(user, 'campaignHeld', { onScreen: true, byMail: true })
    expect((await get(user, '/api/obd/notices/choices')).json()).toMatchObject({ mailLanguage: null })
    expect((await hold())?.text).toContain('Campaign on hold\n')
    await post(user, '/api/obd/notices/choices', { choices: [], mailLanguage: 'ne' })
    expect((await get(user, '/api/obd/notices/choices')).json()).toMatchObject({ mailLanguage: 'ne' })
    const mail = await hold()
    expect(mail?.subject).toBe('अभियान होल्डमा')
    expect(mail?.text).not.toContain('Campaign')
    const strange = await post(user, '/api/obd/notices/choices', { choices: [], mailLanguage: 'fr' })
    expect(strange.json()).toMatchObject({ errors: [{ field: 'mailLanguage', text: 'must be one of ne, en' }] })
  })

  test.each(languages)(
    'no mail in %s carries a word that another account wrote, whatever it tells of',
    async (mailLanguage) => {
      const hostile = 'You won! http://evil.example/\r\nBcc: all@example.com'
      for (const kind of noticeKindsOf.user.concat(
        noticeKindsOf.reseller as never,
        noticeKindsOf.superAdmin as never,
      )) {
        const role = (['user', 'reseller', 'superAdmin'] as const).find((one) =>
          noticeKindsOf[one].includes(kind as never),
        )
        const viewer = await (role === 'user' ? newUser : role === 'reseller' ? newReseller : newSuperAdmin)(app)
        const named = { name: hostile, company: hostile, address: hostile, number: hostile, disabled_reason: hostile }
        await app.db.updateTable('users').set(named).where('id', '=', viewer.userId).execute()
        await post(viewer, '/api/obd/notices/choices', {
          choices: [{ kind, onScreen: true, byMail: true }],
          mailLanguage,
        })
        const notice = { userId: viewer.userId, kind, subjectId: 1, about: hostile, reason: hostile }
        await app.db.transaction().execute((tx) => giveNotice(tx, notice))
        const [mail, ...others] = await mails()
        expect([others, mail?.to]).toEqual([[], `${viewer.username}@example.com`])
        expect(`${mail?.subject}${mail?.text}`, kind).not.toMatch(/evil|won|Bcc/)
        expect(mail?.subject, kind).toMatch(/^[^\n]+$/)
        expect(mail?.text, kind).toContain(viewer.username)
      }
    },
  )

  test('notices within five minutes go as one mail', async () => {
    const user = await newUser(app)
    await choose(user, 'campaignComplete', { onScreen: true, byMail: true })
    await complete(user)
    await complete(user)
    expect(await mails()).toMatchObject([{ subject: expect.stringMatching(/ \(\+1\)$/) }])
    await complete(user)
    expect(await mails()).toEqual([])
    app.clock.advance(6 * 60_000)
    expect(await mails()).toHaveLength(1)
  })

  test('two processes that look at once queue each notice once', async () => {
    const users = await Promise.all([1, 2, 3].map(() => newUser(app)))
    for (const user of users) {
      await choose(user, 'campaignComplete', { onScreen: true, byMail: true })
      await complete(user)
    }
    await app.pool.query("delete from pgboss.job where name = 'notice-mail'")
    await Promise.all([queueNoticeMails(app), queueNoticeMails(app), queueNoticeMails(app)])
    const { rows } = await app.pool.query("select data from pgboss.job where name = 'notice-mail'")
    expect(rows).toHaveLength(3)
  })

  test('a kind that the role is not told of, and mail to nowhere, are refused', async () => {
    const user = await newUser(app)
    const reply = await choose(user, 'trunkDown', { onScreen: true, byMail: false })
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { errors: [{ field: 'choices' }] }])
    await app.db.updateTable('users').set({ emailid: 'none' }).where('id', '=', user.userId).execute()
    expect((await choose(user, 'campaignHeld', { onScreen: true, byMail: true })).statusCode).toBe(400)
    const boss = await newSuperAdmin(app)
    const limited = await post(boss, '/api/obd/notices/choices', { choices: [], lowBalanceLimit: 10 })
    expect(limited.json()).toMatchObject({ errors: [{ field: 'lowBalanceLimit' }] })
  })
})
