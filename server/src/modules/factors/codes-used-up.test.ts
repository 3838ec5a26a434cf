import { beforeEach, describe, expect, test } from 'vitest'
import type { Viewer } from '../../policy.ts'
import { testApp } from '../../testing/app.ts'
import { codeAt } from '../../testing/factors.ts'
import { testHttp } from '../../testing/http.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'
import { sendResetMail } from '../auth/actions-reset.ts'
import { sendFactorCode } from './actions.ts'

const app = await testApp({ publicUrl: 'https://calls.example.com' })
const http = await testHttp(app)
beforeEach(() => app.clock.set(new Date('2026-11-30T06:15:00Z')))

type Headers = Record<string, string>
const home = '103.10.28.7'
const elsewhere = '8.8.8.8'
const post = (url: string, payload: object = {}, headers: Headers = {}, remoteAddress = home) =>
  http.inject({ method: 'POST', url: `/api/obd/${url}`, payload, headers, remoteAddress })
const begin = async (headers: Headers) => (await post('factors/totp/begin', {}, headers)).json<Begun>()
type Begun = { token: string; secret: string; mailed?: boolean; errors?: { code: string }[] }

async function signIn({ username }: Viewer, ip: string, password = seededPassword): Promise<Headers> {
  const reply = await post('login', { username, password }, {}, ip)
  return { authorization: `Bearer ${reply.json<{ token: string }>().token}` }
}

/** What the newest mail with a code says. */
async function codeMailOf(user: Viewer): Promise<string> {
  const { rows } = await app.pool.query<{ data: { userId: number; tokenHash: string } }>(
    "select data from pgboss.job where name = 'factor-mail' and (data->>'userId')::int = $1 order by created_on desc",
    [user.userId],
  )
  if (!rows[0]) throw new Error('nothing is mailed')
  await sendFactorCode(app, rows[0].data)
  return app.mail.sent.at(-1)?.text ?? ''
}

/** Somebody who knows the password has had all codes of the day mailed. */
async function usedUp(): Promise<{ user: Viewer; thief: Headers }> {
  const user = await newUser(app)
  const thief = await signIn(user, elsewhere)
  for (let n = 0; n < 10; n++) expect(await begin(thief)).toMatchObject({ mailed: true })
  return { user, thief }
}

async function setByMail(user: Viewer, password: string): Promise<void> {
  await sendResetMail(app, { userId: user.userId, askedAt: app.clock.now() })
  const token = /update-pwd\/([\w-]{43})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
  expect((await post('update/pwd', { token, password })).statusCode).toBe(200)
}

describe('once a stranger who knows the password has had all codes of the day mailed', () => {
  test('the owner is told what helps: a password set by a mailed link begins a new count, and the stranger is out', async () => {
    const { user, thief } = await usedUp()
    const refused = await post('factors/totp/begin', {}, await signIn(user, home))
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        errors: [
          {
            field: 'mailCode',
            code: 'mails_used_up',
            text: 'cannot be mailed any more today: set a new password by ‘Reset password?’, and codes are mailed again',
          },
        ],
      },
    ])
    await setByMail(user, 'granite otter lantern 58')
    expect((await http.inject({ url: '/api/obd/session', headers: thief })).statusCode).toBe(401)
    const headers = await signIn(user, home, 'granite otter lantern 58')
    const { token, secret, mailed } = await begin(headers)
    expect(mailed).toBe(true)
    const mailCode = /^(\d{6})$/m.exec(await codeMailOf(user))?.[1]
    const code = codeAt(app.clock.now(), secret)
    expect((await post('factors/totp', { token, code, mailCode }, headers)).statusCode).toBe(200)
  })

  test('each of these mails has the link ‘It was not me’, which stops the stranger and mails the link for a password', async () => {
    const { user, thief } = await usedUp()
    const token = /https:\/\/calls\.example\.com\/not-me\/([\w-]{43})$/m.exec(await codeMailOf(user))?.[1]
    expect((await post('notme', { token })).statusCode).toBe(200)
    expect((await http.inject({ url: '/api/obd/session', headers: thief })).statusCode).toBe(401)
    await setByMail(user, 'granite otter lantern 58')
    expect(await begin(await signIn(user, home, 'granite otter lantern 58'))).toMatchObject({ mailed: true })
  })

  test('a password that was changed by whoever knows the present one begins no new count', async () => {
    const { thief } = await usedUp()
    const changed = await post('password', { current: seededPassword, password: 'granite otter lantern 58' }, thief)
    expect(changed.statusCode).toBe(200)
    expect(await begin(thief)).toMatchObject({ errors: [{ code: 'mails_used_up' }] })
  })
})
