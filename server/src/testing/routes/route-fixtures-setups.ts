import { randomUUID } from 'node:crypto'
import { noId, type RouteFixture } from './route-fixtures.ts'

/** A set-up of the owner. */
export const setup: RouteFixture = {
  owners: ['user'],
  async make(app, owner) {
    const { id } = await app.db
      .insertInto('setup')
      .values({ account_id: owner.userId, name: `Set-up ${randomUUID()}`, fields: JSON.stringify({ templateId: 0 }) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  },
  missing: noId,
}
