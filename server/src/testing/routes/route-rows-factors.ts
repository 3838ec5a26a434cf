import { createHash, randomUUID } from 'node:crypto'
import { newChallenge } from '../../modules/factors/actions-challenge.ts'
import { secretPurpose } from '../../modules/factors/rules.ts'
import type { Viewer } from '../../policy.ts'
import { seal } from '../../lib/secrets.ts'
import { Authenticator } from '../authenticator.ts'
import { codeAt, givePasskey, giveTotp, totpSecret } from '../factors.ts'
import { newUser } from '../seed.ts'
import type { TestApp } from '../app.ts'
import { childOf, noId, type RouteFixture } from './route-fixtures.ts'
import { presentPassword } from './route-rows-sessions.ts'
import type { Row } from './route-rows.ts'

type Begun = {
  userId: number
  kind: 'signIn' | 'totp' | 'passkey'
  device_key?: string
  secret_sealed?: string
  rp_id?: string
}

async function begin(app: TestApp, { userId, ...begun }: Begun, token: string = randomUUID()): Promise<string> {
  const token_hash = createHash('sha256').update(token).digest()
  const expires_at = new Date(Date.now() + 600_000)
  await app.db
    .insertInto('ceremony')
    .values({ token_hash, user_id: userId, ...begun, expires_at })
    .execute()
  return token
}

/** The ticket of an account of its own. Whoever has it and the code may use it. */
const ticket: RouteFixture = {
  platform: true,
  async make(app) {
    const { userId } = await newUser(app)
    await giveTotp(app, userId)
    const { device_key } = await app.db
      .selectFrom('users')
      .select('device_key')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const counted = JSON.stringify({ forgotten: [], givenBack: [], kept: [] })
    const token = await begin(app, { userId, kind: 'signIn', device_key })
    await app.db.updateTable('ceremony').set({ counted }).where('user_id', '=', userId).execute()
    return token
  },
  missing: randomUUID(),
}

const begunTotp: RouteFixture = {
  make: (app, { userId }) =>
    begin(app, { userId, kind: 'totp', secret_sealed: seal(app.config.secret, secretPurpose(userId), totpSecret) }),
  missing: randomUUID(),
}

/** Of what the newest beginning of an account is answered with. */
const begunTokens = new Map<number, string>()
const begunPasskey: RouteFixture = {
  make(app, { userId }) {
    const token = randomUUID()
    begunTokens.set(userId, token)
    return begin(app, { userId, kind: 'passkey', rp_id: 'localhost' }, token)
  },
  missing: randomUUID(),
}
const withMade = ({ userId }: Viewer) => ({
  passkey: new Authenticator().make({ challenge: begunTokens.get(userId) ?? '', rp: { id: 'localhost' } }),
})

const used = (key: Authenticator, challenge: string) => key.use({ challenge, rpId: 'localhost' })
/** Of an account of its own. Whoever has it may use it. */
const usedPasskey: RouteFixture = {
  platform: true,
  async make(app) {
    const { userId } = await newUser(app)
    const key = new Authenticator()
    await givePasskey(app, userId, { key, host: 'localhost' })
    return used(key, newChallenge(app.config.secret, 'localhost', app.clock.now()))
  },
  missing: used(new Authenticator(), 'nobody’s'),
}

const factor: RouteFixture = { make: (app, { userId }) => giveTotp(app, userId), missing: noId }

/** A fresh account below the owner. */
const childWithFactor: RouteFixture = {
  ...childOf,
  async make(app, owner, viewer) {
    const userId = Number(await childOf.make(app, owner, viewer))
    await giveTotp(app, userId)
    return userId
  },
}

/** Of an account without a factor, whose wrong tries are forgotten. */
const onlyPassword: RouteFixture = {
  ...presentPassword,
  async make(app, owner, viewer) {
    await app.db.deleteFrom('totp').where('user_id', '=', owner.userId).execute()
    await app.db.deleteFrom('passkey').where('user_id', '=', owner.userId).execute()
    await app.db.deleteFrom('rate_limit').where('key', 'like', 'login %').execute()
    return presentPassword.make(app, owner, viewer)
  },
}

const withCode = () => ({ code: codeAt(new Date()) })
const onlyOwn = { reseller: { child: 404, deeper: 404 }, superAdmin: { child: 404, deeper: 404 } }

export const factorRows = {
  'auth.loginFactor': { names: { ticket }, fields: withCode },
  'factors.list': {},
  'factors.beginTotp': {},
  'factors.addTotp': { names: { token: begunTotp }, fields: withCode },
  'auth.passkeyOptions': { names: { ticket } },
  'auth.loginPasskey': { names: { passkey: usedPasskey } },
  'factors.passkeyOptions': {},
  'factors.addPasskey': { names: { token: begunPasskey }, fields: withMade },
  'factors.makeRecovery': {}, // of those who have just added an app
  'factors.remove': { on: ['factorId', factor], except: onlyOwn },
  'factors.prove': { names: { password: onlyPassword }, fields: { code: undefined } },
  'factors.removeAll': { on: ['userId', childWithFactor], except: { reseller: { child: 403, deeper: 403 } } },
} satisfies Record<string, Row>
