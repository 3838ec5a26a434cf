import { hostsMax } from '../../../lib/trunk-limits.ts'
import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'

/**
 * The attempt goes on over another trunk of its route, or over another host of its trunk ($5 = $6). Written before anything is sent: from then on the
 * channel that belongs to the attempt is the next one (channel-names.ts), and whoever takes the call over asks for that one only. It has no row when
 * the campaign would not be claimed any more, the trunk was tried, or its hosts were.
 * - $4 attempt $5 the trunk that was at fault $6 the next one
 * - $7 payers of the campaign's chain $8 owners of blacklists, as in the claim
 */
const detourStatement = statement<{ id: number }>(
  'detour',
  `with ${leaseFence}
update attempt_open o set tried = coalesce(o.tried, '{}') || o.trunk_id, trunk_id = $6::int
from lease, campaign c
where o.id = $4 and o.dialer_id = $1 and o.trunk_id = $5
  and case when $5::int = $6::int then coalesce(cardinality(array_positions(o.tried, $6::int)), 0) < ${hostsMax - 1} else ($6::int = any (o.tried)) is not true end
  and c.id = o.campaign_id and c.status = 'running' and c.dial_until > now() and not c.retry_requested
  and ($5::int = $6::int or exists (select from cli i join call_route_step s on s.route_id = i.route_id join trunk t on t.id = s.trunk_id
    where i.id = c.cli_id and t.id = $6::int and t.dialer_id = $1 and t.deleted_at is null and (s.operators is null or not c.by_operator or o.stream = any (s.operators))))
  and not exists (select from dial_block b where b.lifted_at is null and b.what <> 'messages' and (b.kind = 'platform' or b.kind = 'dialer' and b.target_id = $1
    or b.kind = 'trunk' and b.target_id = $6::int or b.kind = 'account' and b.target_id = any ($7::int[])))
  and not exists (select from account_stopped_by($7::int[]))
  and not exists (select from blacklist b where b.owner_id = any ($8::int[]) and b.phone = o.phone)
returning o.id`,
)

export type Detour = {
  attemptId: number
  from: number
  to: number
  payerIds: readonly number[]
  blacklistOwnerIds: readonly number[]
}

/** False: the attempt stays where it is. */
export async function recordDetour(db: Queryable, lease: Lease, detour: Detour): Promise<boolean> {
  const { attemptId, from, to, payerIds, blacklistOwnerIds } = detour
  return (
    (await run(db, detourStatement, [...fenced(lease), attemptId, from, to, payerIds, blacklistOwnerIds])).length === 1
  )
}
