import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Authenticator, type Said } from '../../testing/authenticator.ts'
import { signedIn } from '../../testing/http.ts'
import { bearer, errorOf, passkeyServer } from '../../testing/passkeys.ts'
import { someoneWaits } from '../../testing/someone-waits.ts'
import { newUser, seededPassword } from '../../testing/seed.ts'
import { isFrozenText } from '../../db/frozen.ts'
import { freezeAccount } from '../frozen/actions.ts'
import { changeSetting } from '../platform/actions.ts'
import { sendFactorCode } from './actions.ts'

const here = 'calls.example.com'
const other = 'voice.example.org'
const { app, http, noon, reseller, asked, begin, factorsOf, login, post, use, withPasskey } = await passkeyServer({
  here,
  other,
})

describe('adding one', () => {
  test.each<{ why: string; said: Said; text?: string }>([
    { why: 'for another challenge', said: { challenge: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' } },
    { why: 'by a page of another origin', said: { origin: 'https://evil.example' } },
    { why: 'for another RP ID', said: { rpId: 'evil.example', origin: `https://${here}` } },
    { why: 'without verification of its user', said: { isVerified: false } },
    {
      why: 'with certificates of who made it, which may name addresses to ask',
      said: { attestation: { fmt: 'packed', attStmt: new Map(Object.entries({ alg: -7, x5c: [Buffer.of(1)] })) } },
      text: 'passkey says who made it, which is not asked for: use another one',
    },
  ])('$why is refused', async ({ said, text = 'passkey was not accepted: try again' }) => {
    const headers = await signedIn(app, await newUser(app))
    const { token, options } = await begin(headers)
    const passkey = new Authenticator().make(options, said)
    expect(errorOf(await post('factors/passkey', { token, name: 'Key', passkey }, headers))).toBe(text)
    expect((await factorsOf(headers)).factors).toEqual([])
  })

  test('asks for a discoverable one, for verification of its user, and names those that are there', async () => {
    const { key, headers } = await withPasskey()
    const { options } = await begin(headers)
    expect(options).toMatchObject({
      rp: { id: here, name: 'Ghanti' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: key.id.toString('base64url') }],
    })
  })

  test('ends five minutes after its beginning, and at another host', async () => {
    const headers = await signedIn(app, await newUser(app))
    await app.db.updateTable('users').set({ verified_emailid: null }).execute()
    const late = await begin(headers)
    const passkey = new Authenticator().make(late.options)
    const elsewhere = { ...headers, host: other }
    const over = 'token is over: begin again'
    const adding = { token: late.token, name: 'Key', passkey }
    expect(errorOf(await post('factors/passkey', adding, elsewhere))).toBe(over)
    app.clock.advance(5 * 60_000)
    expect(errorOf(await post('factors/passkey', adding, headers))).toBe(over)
  })

  test('as the first factor in a new browser needs the code that is mailed', async () => {
    const user = await newUser(app)
    const headers = await signedIn(app, user)
    const { token, options, mailed } = await begin(headers)
    expect(mailed).toBe(true)
    const { rows } = await app.pool.query<{ data: { userId: number; tokenHash: string } }>(
      "select data from pgboss.job where name = 'factor-mail' and (data->>'userId')::int = $1",
      [user.userId],
    )
    if (!rows[0]) throw new Error('nothing is mailed')
    await sendFactorCode(app, rows[0].data)
    const mailCode = /^(\d{6})$/m.exec(app.mail.sent.at(-1)?.text ?? '')?.[1]
    const adding = { token, name: 'Key', passkey: new Authenticator().make(options) }
    expect(errorOf(await post('factors/passkey', adding, headers))).toBe('mailCode is not the code that was mailed')
    expect((await post('factors/passkey', { ...adding, mailCode }, headers)).statusCode).toBe(200)
  })

  test('has an end at twenty', async () => {
    const { user, headers } = await withPasskey()
    const one = await app.db
      .selectFrom('passkey')
      .selectAll()
      .where('user_id', '=', user.userId)
      .executeTakeFirstOrThrow()
    const more = Array.from({ length: 19 }, (_, n) => ({
      ...one,
      id: undefined,
      credential_id: Buffer.from(`${user.userId} ${n}`),
    }))
    await app.db.insertInto('passkey').values(more).execute()
    const reply = await post('factors/passkey/options', {}, headers)
    expect([reply.statusCode, errorOf(reply)]).toEqual([
      409,
      'passkey is one too many: remove one that you no longer use',
    ])
  })
})

describe('the account’s state', () => {
  test('holds for a passkey as for a password: disabled, frozen and expired accounts are not let in', async () => {
    const { user, key } = await withPasskey()
    const put = (values: object) => app.db.updateTable('users').set(values).where('id', '=', user.userId).execute()
    await put({ expires_at: noon })
    expect((await use(key)).statusCode).toBe(403)
    await put({ expires_at: null, disabled_at: noon, disabled_reason: 'Unpaid' })
    const reply = await use(key)
    expect([reply.statusCode, errorOf(reply)]).toEqual([403, 'username is disabled: Unpaid'])
    const freeze = { isPlatform: true, by: null, reason: 'Stolen', endsCalls: true, at: noon }
    await app.db.transaction().execute((tx) => freezeAccount(tx, user.userId, freeze))
    const frozen = await use(key)
    expect([frozen.statusCode, errorOf(frozen)]).toEqual([403, `username ${isFrozenText}`])
  })

  test('after the password was changed it opens and proves nothing alone, until it was used together with the new one', async () => {
    const { user, key, headers } = await withPasskey()
    const password = 'granite otter lantern 58'
    expect((await post('password', { current: seededPassword, password }, headers)).statusCode).toBe(200)
    const refused = await use(key)
    expect(errorOf(refused)).toBe('passkey needs your password this once: log in with it, then use the passkey')
    expect((await factorsOf(headers)).factors).toMatchObject([{ passkey: { needsPassword: true } }])
    const proof = async () => post('proof', { passkey: key.use(await asked(headers, { own: true })) }, headers)
    expect(errorOf(await proof()), 'nor does it prove a session').toBe(
      'passkey needs your password this once: log in with it, then use the passkey',
    )
    const half = await post('login', { username: user.username, password })
    const { ticket } = half.json<{ ticket: string }>()
    expect((await post('login/factor', { ticket, passkey: key.use(await asked()) })).statusCode).toBe(200)
    expect((await use(key)).statusCode).toBe(200)
    expect((await proof()).statusCode).toBe(200)
  })

  test('is looked at again when it signs in alone: a password that is changed at that moment is needed', async () => {
    const { user, key } = await withPasskey()
    await app.db.deleteFrom('session').where('user_id', '=', user.userId).execute()
    const change = await app.db.startTransaction().execute()
    await sql`lock table totp in access exclusive mode`.execute(change) // which a sign-in reads after the passkey
    const signingIn = use(key)
    await someoneWaits(app.db)
    await change.updateTable('users').set({ password_hash: 'another' }).where('id', '=', user.userId).execute()
    await change.commit().execute()
    expect((await signingIn).statusCode).toBe(400)
    const sessions = app.db.selectFrom('session').select('id').where('user_id', '=', user.userId)
    expect(await sessions.execute()).toEqual([])
  })

  test('must have a second factor is content with a passkey, whose last one stays until it is removed from above', async () => {
    const rule = (users: 'off' | 'required') =>
      app.db.transaction().execute((tx) => {
        const roles = { superAdmins: 'off', resellers: 'off', users } as const
        return changeSetting(tx, 'secondFactor', roles, null)
      })
    await rule('required')
    const user = await newUser(app, { parent: reseller })
    await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
    const headers = { host: here, ...bearer(await login(user)) }
    const mustOf = async () => (await http.inject({ url: '/api/obd/session', headers })).json<{ must?: string }>().must
    expect(await mustOf()).toBe('factor')
    const { token, options } = await begin(headers)
    const key = new Authenticator()
    const added = await post('factors/passkey', { token, name: 'Key', passkey: key.make(options) }, headers)
    expect([added.statusCode, await mustOf()]).toEqual([200, undefined])
    const { factorId } = added.json<{ factorId: number }>()
    const removed = await http.inject({ method: 'DELETE', url: `/api/obd/factors/${factorId}`, headers })
    expect(errorOf(removed)).toBe('factorId is the last one, and this account must have one')
    await rule('off')
    const above = await signedIn(app, reseller)
    expect((await post('user/factors/remove', { userId: user.userId, reason: 'Lost' }, above)).statusCode).toBe(200)
    expect((await use(key)).statusCode).toBe(400)
    expect((await login(user)).json()).toHaveProperty('token')
  })

  test('whose password others chose changes that first, signed in by a passkey, too', async () => {
    const { user, key } = await withPasskey()
    await app.db.updateTable('users').set({ password_given: true }).where('id', '=', user.userId).execute()
    const headers = { host: here, ...bearer(await use(key)) }
    const session = await http.inject({ url: '/api/obd/session', headers })
    expect(session.json()).toMatchObject({ must: 'password' })
  })

  test('is told of a passkey used in a new browser', async () => {
    const { user, key } = await withPasskey()
    await login(user) // the first sign-in tells nothing
    await use(key)
    await use(key, {}, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' })
    const told = await app.db
      .selectFrom('notice')
      .select('about')
      .where('user_id', '=', user.userId)
      .where('kind', '=', 'newBrowser')
      .execute()
    expect(told).toEqual([{ about: expect.stringContaining('Firefox · Windows') }])
  })
})
