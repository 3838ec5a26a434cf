import { randomBytes } from 'node:crypto'
import { noId, type RouteFixture } from './route-fixtures.ts'
import type { Row } from './route-rows.ts'

const dayMs = 24 * 3600_000

const key: RouteFixture = {
  owners: ['user', 'reseller'],
  // Not by the action: an account has few, and this makes one for each case.
  async make(app, { userId }) {
    const values = { user_id: userId, name: 'A program', last4: '0000', scopes: ['messages:read'] }
    const made = app.db.insertInto('api_key').values({
      ...values,
      secret_hash: randomBytes(32),
      created_at: new Date(),
      expires_at: new Date(Date.now() + dayMs),
    })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  },
  missing: noId,
}
const onlyOwn = { reseller: { child: 404, deeper: 404 } }

export const keyRows = {
  'keys.list': {},
  'keys.create': { fields: (_, fresh) => ({ name: fresh, scopes: ['messages:write'], networks: ['203.0.113.0/24'] }) },
  'keys.roll': { on: ['keyId', key], fields: { overlapHours: 2 }, except: onlyOwn },
  'keys.revoke': { on: ['keyId', key], except: onlyOwn },
} satisfies Record<string, Row>
