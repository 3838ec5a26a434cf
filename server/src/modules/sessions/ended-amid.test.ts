import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { Authenticator } from '../../testing/authenticator.ts'
import { giveTotp } from '../../testing/factors.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newApiKey } from '../../testing/keys.ts'
import { browsersAt } from '../../testing/passkeys.ts'
import { newUser } from '../../testing/seed.ts'
import { someoneWaits } from '../../testing/someone-waits.ts'
import type { Viewer } from '../../policy.ts'

const here = 'calls.example.com'
const app = await testApp({ publicUrl: `https://${here}` })
const http = await testHttp(app)
const { begin, post } = browsersAt(app, http, here)

type Request = { url: string; payload?: object }
const stranger = new Authenticator()

/** What a stranger in the account leaves behind. */
const leftBehind = async ({ userId }: Viewer) => {
  const { rows } = await app.pool.query<{ n: number }>(
    `select ((select count(*) from passkey where user_id = $1) + (select count(*) from recovery_code where user_id = $1)
      + (select count(*) from api_key where user_id = $1 and revoked_at is null))::int as n`,
    [userId],
  )
  return rows[0]?.n
}

test.each<{ what: string; asking: (user: Viewer, headers: Record<string, string>) => Promise<Request> }>([
  {
    what: 'a passkey',
    asking: async (_user, headers) => {
      const { token, options } = await begin(headers)
      return { url: 'factors/passkey', payload: { token, name: 'Theirs', passkey: stranger.make(options) } }
    },
  },
  {
    what: 'recovery codes',
    asking: async ({ userId }) => {
      await giveTotp(app, userId)
      return { url: 'factors/recovery' }
    },
  },
  {
    what: 'a key',
    asking: async () => ({ url: 'keys', payload: { name: 'Theirs', scopes: ['campaigns:write'] } }),
  },
  {
    what: 'a key in place of one',
    asking: async (user) => {
      const { keyId } = await newApiKey(app, user)
      return { url: 'keys/roll', payload: { keyId, overlapHours: 0 } }
    },
  },
])('a session that is ended while it asks for $what gets none', async ({ asking }) => {
  const user = await newUser(app)
  await app.db.updateTable('users').set({ verified_emailid: null }).where('id', '=', user.userId).execute()
  const headers = await signedIn(app, user)
  const { url, payload } = await asking(user, headers)
  const stop = await app.db.startTransaction().execute()
  await stop.updateTable('users').set({ password_hash: '' }).where('id', '=', user.userId).execute()
  const asked = post(url, payload, headers)
  await someoneWaits(app.db)
  await stop.deleteFrom('session').where('user_id', '=', user.userId).execute()
  await stop.updateTable('api_key').set({ revoked_at: new Date() }).where('user_id', '=', user.userId).execute()
  await stop.commit().execute()
  expect((await asked).statusCode).toBe(401)
  expect(await leftBehind(user)).toBe(0)
})
