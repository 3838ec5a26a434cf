import { createHash, randomUUID } from 'node:crypto'
import { stopToken } from '../../modules/summary-mails/actions.ts'
import type { Viewer } from '../../policy.ts'
import type { TestApp } from '../app.ts'
import { newUser } from '../seed.ts'
import { noId, type RouteFixture } from './route-fixtures.ts'

let serial = 0

/** An address that the account may have summaries mailed to. */
export async function newSummaryAddress(app: TestApp, owner: Viewer, address = `reader${++serial}@example.com`) {
  const now = app.clock.now()
  const { id } = await app.db
    .insertInto('summary_address')
    .values({ user_id: owner.userId, address, asked_at: now, confirmed_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const address: RouteFixture = {
  owners: ['user'],
  make: (app, owner) => newSummaryAddress(app, owner),
  missing: noId,
}

/** Several, which a mail names. */
export const addresses: RouteFixture = {
  ...address,
  make: async (...of) => [await address.make(...of)],
  missing: [noId],
}

/** The token of a mailed link that confirms an address. Anybody who has it may use it. */
export const yesLink: RouteFixture = {
  platform: true,
  async make(app) {
    const token = randomUUID()
    const address_id = await newSummaryAddress(app, await newUser(app))
    const expires_at = new Date(app.clock.now().getTime() + 600_000)
    const token_hash = createHash('sha256').update(token).digest()
    await app.db.insertInto('summary_address_link').values({ token_hash, address_id, expires_at }).execute()
    return token
  },
  missing: randomUUID(),
}

/** The token of the unsubscribe link in a mail. */
export const noLink: RouteFixture = {
  platform: true,
  make: async (app) => stopToken(app, await newSummaryAddress(app, await newUser(app))),
  missing: `${noId}-${randomUUID()}`,
}
