import type { Db } from './db.ts'
import { isLive } from './live.ts'

/** Only a domain that the super admin confirmed works (docs/api.md#brands), and only while its owner is live. */
export function domainsThatWork(db: Db, hostname: string) {
  return db
    .selectFrom('brand_domain')
    .innerJoin('users', 'users.id', 'brand_domain.user_id')
    .where('brand_domain.hostname', '=', hostname)
    .where('confirmed_at', 'is not', null)
    .where(isLive('users.path'))
}
