import { generateSync } from 'otplib'
import { openPool } from '../db/pool.ts'
import { secretPurpose } from '../modules/factors/rules.ts'
import { insertPasskey } from '../modules/factors/store-passkeys.ts'
import { seal } from '../lib/secrets.ts'
import type { TestApp } from './app.ts'
import type { Authenticator } from './authenticator.ts'

/** Every account's in tests: that of RFC 6238. */
export const totpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** What the owner's telephone shows. */
export function codeAt(now: Date, secret = totpSecret): string {
  return generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) })
}

/** The account gets an authenticator app, in place of one that it had. Returns the factor's id. */
export async function giveTotp(app: Pick<TestApp, 'db' | 'config' | 'clock'>, userId: number): Promise<number> {
  const secret_sealed = seal(app.config.secret, secretPurpose(userId), totpSecret)
  const totp = { user_id: userId, secret_sealed, last_step: 0, added_at: app.clock.now() }
  const put = app.db.insertInto('totp').values(totp)
  const { id } = await put
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(totp))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Super admins of this database need no second factor: an installation that begins asks them for one. */
export async function askForNoFactor(url: string): Promise<void> {
  const pool = openPool({ connectionString: url, max: 1, name: 'ghanti-test' }, () => {}) // finds the primary of several servers
  await pool.query("delete from platform_setting where key = 'second_factor'")
  await pool.end()
}

/** The account gets a passkey. Returns the factor's id. */
export async function givePasskey(
  app: Pick<TestApp, 'db' | 'clock'>,
  userId: number,
  { key, host }: { key: Authenticator; host: string },
): Promise<number> {
  const passkey = {
    userId,
    host,
    credentialId: key.id,
    publicKey: key.publicKey,
    counter: 0,
    transports: ['internal'],
    synced: false,
    name: 'Telephone',
    now: app.clock.now(),
  }
  const id = await app.db.transaction().execute((tx) => insertPasskey(tx, passkey))
  if (id === undefined) throw new Error('somebody has it')
  return id
}
