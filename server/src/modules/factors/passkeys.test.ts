import { describe, expect, test } from 'vitest'
import { Authenticator, type Said } from '../../testing/authenticator.ts'
import { codeAt, giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { bearer, errorOf, passkeyServer } from '../../testing/passkeys.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'
import { WorkLimits } from '../limits/actions.ts'

const here = 'calls.example.com'
const other = 'voice.example.org'
const { app, http, add, asked, begin, factorsOf, login, post, use, withPasskey } = await passkeyServer({ here, other })

describe('a passkey', () => {
  test('signs in without a name or a password, as the second step, and proves a session', async () => {
    const { user, key, headers } = await withPasskey()
    const alone = await use(key)
    expect(alone.json()).toEqual({
      message: 'Success',
      token: expect.any(String),
      userid: user.userId,
      role: ['ROLE_USER'],
    })
    const sessions = await http.inject({ url: '/api/obd/sessions', headers: { host: here, ...bearer(alone) } })
    expect(sessions.json<object[]>().find((session) => 'current' in session && session.current)).toMatchObject({
      factor: 'passkey',
    })
    const half = await login(user)
    expect(half.json()).toEqual({
      message: 'Second factor needed',
      ticket: expect.any(String),
      factors: ['passkey'],
    })
    const { ticket } = half.json<{ ticket: string }>()
    const options = await asked({}, { ticket })
    expect(options.allowCredentials).toEqual([
      { id: key.id.toString('base64url'), type: 'public-key', transports: ['internal'] },
    ])
    expect((await post('login/factor', { ticket, passkey: key.use(options) })).statusCode).toBe(200)
    app.clock.advance(11 * 60_000)
    const stale = await post('factors/recovery', {}, headers)
    expect(stale.json()).toMatchObject({ errors: [{ code: 'proof_needed' }] })
    const proof = { passkey: key.use(await asked(headers, { own: true })) }
    expect((await post('proof', proof, headers)).statusCode).toBe(200)
    expect((await post('factors/recovery', {}, headers)).statusCode).toBe(200)
    const { factors, passkeyHost } = await factorsOf(headers)
    expect([factors, passkeyHost]).toEqual([
      [
        {
          factorId: expect.any(Number),
          kind: 'passkey',
          addedAt: '2026-11-30 12:00:00',
          usedAt: '2026-11-30 12:11:00',
          passkey: { name: 'Telephone', host: here, synced: false, needsPassword: false },
        },
      ],
      here,
    ])
    const notices = await app.db.selectFrom('notice').select('kind').where('user_id', '=', user.userId).execute()
    expect(notices).toContainEqual({ kind: 'factorChanged' })
    const lines = await app.db.selectFrom('audit_log').select('action').where('actor_id', '=', user.userId).execute()
    expect(lines).toContainEqual({ action: 'factor.add' })
  })

  test('on several devices counts nothing, and goes on working', async () => {
    const { key, headers } = await withPasskey({ isSynced: true })
    for (let n = 0; n < 2; n++) expect((await use(key)).statusCode).toBe(200)
    expect((await factorsOf(headers)).factors).toMatchObject([{ passkey: { synced: true } }])
  })

  const wrong = 'passkey was not accepted: try again'
  test.each<{ why: string; said: Said; text?: string }>([
    { why: 'for a challenge of nobody', said: { challenge: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' } },
    { why: 'by a page of another origin', said: { origin: 'https://calls.example.com.evil.example' } },
    { why: 'by a page without https', said: { origin: 'http://calls.example.com' } },
    { why: 'for another RP ID', said: { rpId: 'example.com', origin: 'https://calls.example.com' } },
    { why: 'without verification of its user', said: { isVerified: false } },
    { why: 'as if it were being made', said: { type: 'webauthn.create' } },
    { why: 'with another signature', said: { isSigned: false } },
    {
      why: 'with a counter that went back',
      said: { counter: 1 },
      text: 'passkey counts less than before, as a copy of it would: use another way to log in, and remove it',
    },
    {
      why: 'with a counter of 0 after it has counted',
      said: { counter: 0 },
      text: 'passkey counts less than before, as a copy of it would: use another way to log in, and remove it',
    },
  ])('used $why is refused', async ({ said, text = wrong }) => {
    const { key } = await withPasskey()
    const reply = await use(key, said)
    expect([reply.statusCode, errorOf(reply)]).toEqual([400, text])
    expect((await use(key)).statusCode, 'used rightly it opens').toBe(200)
  })

  test('that was copied leaves a line of audit for its account', async () => {
    const { user, key } = await withPasskey()
    await use(key, { counter: 1 })
    const lines = app.db.selectFrom('audit_log').select(['target', 'detail']).where('action', '=', 'login.factorFailed')
    const line = { target: `user ${user.userId}`, detail: { username: user.username } }
    expect(await lines.execute()).toContainEqual(line)
  })

  test('that nobody added is refused, and one that was removed', async () => {
    const unknown = 'passkey is not known here: it was removed, or is another account’s'
    expect(errorOf(await use(new Authenticator()))).toBe(unknown)
    const { key, factorId, headers } = await withPasskey()
    const url = `/api/obd/factors/${factorId}`
    expect((await http.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200)
    expect(errorOf(await use(key))).toBe(unknown)
  })

  test('is used once for a challenge, within five minutes', async () => {
    const { key } = await withPasskey({ isSynced: true })
    const over = 'passkey took too long or was used before: try again'
    const passkey = key.use(await asked())
    expect((await post('login/passkey', { passkey })).statusCode).toBe(200)
    expect(errorOf(await post('login/passkey', { passkey }))).toBe(over)
    const late = key.use(await asked())
    app.clock.advance(5 * 60_000)
    expect(errorOf(await post('login/passkey', { passkey: late }))).toBe(over)
  })

  test('of another account is no second step, and proves no session', async () => {
    const [{ user }, stranger] = [await withPasskey(), await withPasskey()]
    const { ticket } = (await login(user)).json<{ ticket: string }>()
    const unknown = 'passkey is not known here: it was removed, or is another account’s'
    const step = { ticket, passkey: stranger.key.use(await asked()) }
    expect(errorOf(await post('login/factor', step))).toBe(unknown)
    const headers = await signedIn(app, user)
    expect(errorOf(await post('proof', { passkey: stranger.key.use(await asked()) }, headers))).toBe(unknown)
    const own = { url: `/api/obd/factors/${stranger.factorId}`, method: 'DELETE', headers } as const
    expect((await http.inject(own)).statusCode).toBe(404)
  })
})

describe('of fifty at once', () => {
  const winners = (replies: readonly { statusCode: number }[]) =>
    replies.filter(({ statusCode }) => statusCode === 200).length
  const fifty = <T>(work: (ip: string) => Promise<T>) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => work(`103.${n}.29.7`)))

  test('one use of a passkey signs in', async () => {
    const { user, key } = await withPasskey({ isSynced: true })
    const passkey = key.use(await asked())
    await app.db.deleteFrom('session').where('user_id', '=', user.userId).execute()
    expect(winners(await fifty((ip) => post('login/passkey', { passkey }, {}, ip)))).toBe(1)
    const sessions = await app.db.selectFrom('session').select('id').where('user_id', '=', user.userId).execute()
    expect(sessions).toHaveLength(1)
  })

  test('one beginning adds one passkey', async () => {
    const user = await newUser(app)
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    const headers = await signedIn(app, user)
    const { token, options } = await begin(headers)
    const passkey = new Authenticator().make(options)
    const adding = { token, name: 'Key', passkey }
    expect(winners(await fifty((ip) => post('factors/passkey', adding, headers, ip)))).toBe(1)
    expect((await factorsOf(headers)).factors).toHaveLength(1)
  })
})

describe('a stranger', () => {
  test('who asks for challenges fills no table, and is stopped after 240 a minute', async () => {
    const limited = await testHttp({ ...app, workLimits: new WorkLimits() })
    const ask = () =>
      limited.inject({ method: 'POST', url: '/api/obd/login/passkey/options', payload: {}, headers: { host: here } })
    const rowsNow = async () => {
      const { rows } = await app.pool.query<{ rows: string }>(
        'select (select count(*) from ceremony) + (select count(*) from used_challenge) as rows',
      )
      return rows[0]?.rows
    }
    const before = await rowsNow()
    const answers: number[] = []
    for (let n = 0; n < 245; n++) answers.push((await ask()).statusCode)
    expect(answers.filter((status) => status === 200)).toHaveLength(240)
    expect(answers.slice(240)).toEqual([429, 429, 429, 429, 429])
    for (let n = 0; n < 5; n++) expect((await use(new Authenticator())).statusCode).toBe(400)
    expect(await rowsNow()).toBe(before)
  })

  test('who makes many wrong guesses with a name keeps no owner of a passkey out', async () => {
    const { user, key } = await withPasskey()
    for (let n = 0; n < 60; n++) await post('login', { username: user.username, password: 'wrong' }, {}, `8.${n}.8.8`)
    expect((await post('login', { username: user.username, password: seededPassword }, {}, '9.9.9.9')).statusCode).toBe(
      429,
    )
    expect((await use(key)).statusCode).toBe(200)
  })
})

describe('a host', () => {
  const elsewhere = (host: string) => `passkey belongs to ${host}: use a code, or add a passkey for this address`

  test('has passkeys of its own: one of another confirmed domain opens nothing there', async () => {
    const { user, key, headers } = await withPasskey()
    await giveTotp(app, user.userId)
    expect(errorOf(await use(key, {}, { host: other }))).toBe(elsewhere(here))
    const half = await login(user, { host: other })
    expect(half.json()).toMatchObject({ factors: ['totp'] })
    const { ticket } = half.json<{ ticket: string }>()
    const step = { ticket, passkey: key.use(await asked({ host: other })) }
    expect(errorOf(await post('login/factor', step, { host: other }))).toBe(elsewhere(here))
    const code = codeAt(app.clock.now())
    expect((await post('login/factor', { ticket, code }, { host: other })).statusCode).toBe(200)
    const second = await add(user, { host: other })
    expect((await use(second.key, {}, { host: other })).statusCode).toBe(200)
    expect((await factorsOf(headers)).factors).toMatchObject([
      { kind: 'passkey', passkey: { host: here } },
      { kind: 'passkey', passkey: { host: other } },
      { kind: 'totp' },
    ])
  })

  test('where the account has no passkey and no code says where it has', async () => {
    const { user } = await withPasskey()
    const reply = await login(user, { host: other })
    expect([reply.statusCode, errorOf(reply)]).toEqual([400, `passkey belongs to ${here}: log in there`])
    expect((await login(user)).json()).toHaveProperty('ticket')
  })

  test('takes no challenge of another one', async () => {
    const { key } = await withPasskey()
    const challenge = (await asked({ host: other })).challenge
    expect(errorOf(await use(key, { challenge }))).toBe('passkey was not accepted: try again')
  })

  test.each([
    ['103.1.2.3', `passkey needs a name instead of an IP address: open https://${here}`],
    ['unconfirmed.example.net', `passkey cannot be used at this address: open https://${here}, or use a code`],
  ])('%s has none, and says why', async (host, text) => {
    const headers = { ...(await signedIn(app, await newUser(app))), host }
    for (const url of ['login/passkey/options', 'factors/passkey/options'])
      expect(errorOf(await post(url, {}, headers))).toBe(text)
    expect(await factorsOf(headers)).toMatchObject({ passkeyHost: null, passkeyFault: text.replace('passkey ', '') })
  })

  test('of this machine is called localhost', async () => {
    const local = await testHttp({ ...app, config: { ...app.config, publicUrl: 'http://127.0.0.1:3000' } })
    const ask = (host: string) =>
      local.inject({ method: 'POST', url: '/api/obd/login/passkey/options', payload: {}, headers: { host } })
    expect(errorOf(await ask('127.0.0.1:3000'))).toBe(
      'passkey needs a name instead of an IP address: open http://localhost:3000',
    )
    expect((await ask('localhost:5173')).json()).toMatchObject({ rpId: 'localhost' })
  })
})
