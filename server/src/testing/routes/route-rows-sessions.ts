import { createHash, randomUUID } from 'node:crypto'
import { hashPassword } from '../../modules/auth/actions-passwords.ts'
import { newUser } from '../seed.ts'
import type { RouteFixture } from './route-fixtures.ts'
import type { Row } from './route-rows.ts'

/** The token of a link of an account of its own, whose password it voids. */
const notMeLink: RouteFixture = {
  platform: true,
  async make(app) {
    const token = randomUUID()
    const { userId } = await newUser(app)
    const token_hash = createHash('sha256').update(token).digest()
    const expires_at = new Date(Date.now() + 600_000)
    await app.db.insertInto('not_me_link').values({ token_hash, user_id: userId, expires_at }).execute()
    return token
  },
  missing: randomUUID(),
}

/** Set anew for each request, because the one before has changed it. */
export const presentPassword: RouteFixture = {
  async make(app, { userId }) {
    const password = `the password of account ${userId}`
    const password_hash = await hashPassword(password, userId)
    await app.db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
    return password
  },
  missing: 'the password of nobody',
}

/** The own password, open sign-ins, and the link that ends them. */
export const sessionRows = {
  'sessions.notMe': { names: { token: notMeLink } },
  'sessions.changePassword': { names: { current: presentPassword }, fields: { password: 'a new password' } },
  'sessions.list': {},
} satisfies Record<string, Row>
