/**
 * The hot path of dispatching. The idea
 *   the row      is the unit. The first row of each number is numbered 0..fresh_end-1 and needs no queue: campaign.fresh_next is a cursor.
 *                Nothing is searched, so nothing degrades as the campaign drains. A later row of the same number (its follower_no) enters
 *                contact_retry only when the row before it is final, so a number cannot be in two calls of one campaign.
 *   in flight    attempt_open: written (with the money reserved) before the telephone rings. Small, so takeover reads it whole.
 *                "In call" is stored there and nowhere else; campaign_contact.state is what the row was and will be between calls.
 *   done         attempt: inserted once at the end and never updated. DELETE from attempt_open is what makes an outcome count once.
 *   money        only the user's level is reserved. finish prices every level in SQL from the chain frozen at compose. A level pays at
 *                most what the level below it paid, and the first at most its reservation: so no payee can lose by a call, whatever the plans.
 *   hot payees   what calls earn goes to account_income, a row per account and writer: writers never wait for a common reseller, nor for
 *                platform revenue. An account owns balance + income; `sweep` makes income spendable.
 *   channels     account_channels counts the calls of a user and of each ancestor, whatever dialer they use: hence under a lock. Those of CLI,
 *                trunk and dialer belong to one dialer, so its one writer counts them in memory.
 *   narrow       campaign_contact has no index on a column that changes, so its one update per attempt is HOT (heap only).
 *   fence        every statement share-locks the dialer's lease row with engine and epoch. A takeover updates that row, so it waits
 *                for statements under way and sees all they wrote; afterwards the old epoch writes nothing.
 *   locks        always lease -> open attempts and their rows -> accounts by id -> campaign -> account_channels by id -> queue -> income -> counters:
 *                no deadlocks. What many calls share is locked last, so that claims wait for the end of a batch only. No foreign keys from
 *                hot tables: each insert would lock the reseller's row for key share.
 *   absolute     a row that was waited for is first written from the snapshot's old version, and that draft meets the check constraints:
 *                `reserved = reserved + n` fails though the true row has room. So what was read under the lock is written back whole.
 */
import { customerChannelSql } from './channel-names.ts'
import { fenced, leaseHeld, momentOfUs, run, statement, type Lease, type Queryable } from './statement.ts'

/** A call that may be dialled: recorded, its money reserved. */
export type Claimed = {
  id: number
  channel_id: string
  no: number
  /** E.164 without the plus. */
  phone: number
  attempt_no: number
  /** Of this row before this call. */
  congestions: number
  failures: number
  reserved_paisa: number
  /** The greatest due time taken from the queue, the same in all rows; null when none came from it. */
  since: Date | null
}

/**
 * What may ring now: due rows of the queue first, then fresh ones. No rows: ask `why`. The caller has seen to calling hours and to what CLI,
 * trunk and dialer bear, and claims one campaign at a time (its own calls are counted from the snapshot).
 * $4 campaign $5 wanted $6 slot $7 since: dead index entries before it are not read again; start anew every few seconds, since a row may
 * come in with an earlier due time. $8 payers of the campaign's chain: the user and his resellers. $9 owners of blacklists: these and the
 * platform. $10 a probe: the one call that a campaign held for its trunk or for refusals may make; to a fresh row while there is one, since what is due again may fail
 * for its number's sake. What is proven (Proven): $11 fresh rows before this one $12 µs $13 no of the last row of the queue.
 */
const claimStatement = statement<Claimed>(
  'claim',
  `with ${leaseHeld}, purse as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa, c.reserve_paisa, c.fresh_next, c.fresh_end, greatest(0, least($5::int,
    c.channels - (select coalesce(sum(k.in_call), 0) from campaign_count k where k.campaign_id = $4),
    case when c.reserve_paisa = 0 then $5::int else (a.balance_paisa - a.reserved_paisa) / c.reserve_paisa end))::int as affordable
  from lease, campaign c join account a on a.id = c.account_id
  where c.id = $4 and c.dialer_id = $1 and c.dial_until > now() and not c.retry_requested
    and (c.status = 'running' or $10::boolean and c.status = 'onHold' and c.hold_cause in ('trunk', 'refusals'))
    and not exists (select from dial_block b where b.lifted_at is null and (b.kind = 'platform' or b.kind = 'dialer' and b.target_id = $1
      or b.kind = 'trunk' and b.target_id = c.trunk_id or b.kind = 'account' and b.target_id = any ($8::int[])))
    and not exists (select from account_stopped_by($8::int[]))
  for no key update of a, c
), held as materialized (
  select h.account_id, h.channels, h.in_call from purse, account_channels h -- after the account, as finish does
  where h.account_id = any ($8::int[]) order by h.account_id for no key update of h
), room as materialized (
  select greatest(0, least(p.affordable, (select min(channels - in_call) from held)))::int as calls from purse p -- least ignores null: no limit
), picked as materialized (
  select r.ctid from contact_retry r where r.campaign_id = $4 and r.due_at >= $7
    and r.due_at <= least(now(), ${momentOfUs('$12')}) and (r.due_at, r.no) <= (${momentOfUs('$12')}, $13::int) -- the row alone does not end the scan
  order by r.due_at, r.no limit coalesce((select case when $10 and p.fresh_next < p.fresh_end then 0 else r.calls end from purse p, room r), 0) -- without coalesce: no purse, no limit
  for update skip locked
), gone as (
  delete from contact_retry r where r.ctid = any (array(select ctid from picked)) returning r.no, r.due_at -- locked above, so ctid holds
), moved as (
  update campaign c set fresh_next = least(p.fresh_next + r.calls - g.n, p.fresh_end, $11::int) from purse p, room r, (select count(*)::int n from gone) g
  where c.id = $4 and g.n < r.calls and p.fresh_next < least(p.fresh_end, $11::int) returning p.fresh_next as lo, c.fresh_next as hi
), due as materialized (
  select c.no, c.phone, c.attempts, c.congestions, c.failures, c.state,
    exists (select from blacklist b where b.owner_id = any ($9::int[]) and b.phone = c.phone) as blocked
  from campaign_contact c where c.campaign_id = $4 and c.state in ('fresh', 'waiting')
    and c.no = any (array(select no from gone union all select generate_series(m.lo, m.hi - 1) from moved m))
), opened as (
  insert into attempt_open (dialer_id, epoch, campaign_id, no, attempt_no, from_state, account_id, phone, reserved_paisa)
  select $1, $3, $4, d.no, d.attempts + 1, d.state, p.id, d.phone, p.reserve_paisa from due d, purse p where not d.blocked
  returning id, no, phone, attempt_no, reserved_paisa
), suppressed as (
  update campaign_contact c set state = case c.state when 'fresh' then 'dnd'::row_state else 'done' end
  where c.campaign_id = $4 and c.no = any (array(select no from due where blocked)) returning c.follower_no
), released as (
  insert into contact_retry (campaign_id, due_at, no) select $4, now(), follower_no from suppressed where follower_no is not null
), reserved as (
  update account a set balance_paisa = p.balance_paisa, reserved_paisa = p.reserved_paisa + n.n * p.reserve_paisa
  from purse p, (select count(*) n from opened) n where a.id = p.id and n.n > 0
), counted_channels as (
  update account_channels h set in_call = l.in_call + n.n::int
  from held l, (select count(*) n from opened) n where h.account_id = l.account_id and n.n > 0
), counted as (
  insert into campaign_count as k (campaign_id, slot, fresh, waiting, in_call, dnd, done)
  select $4, $6, -count(*) filter (where state = 'fresh'), -count(*) filter (where state = 'waiting'), count(*) filter (where not blocked),
    count(*) filter (where blocked and state = 'fresh'), count(*) filter (where blocked and state = 'waiting') from due having count(*) > 0
  on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting,
    in_call = k.in_call + excluded.in_call, dnd = k.dnd + excluded.dnd, done = k.done + excluded.done
)
select o.id, ${customerChannelSql('$3::bigint')} as channel_id, o.no, o.phone, o.attempt_no, o.reserved_paisa, d.congestions, d.failures,
  (select max(due_at) from gone) as since
from opened o join due d on d.no = o.no, installation i order by o.no`,
)

/** A row of the queue: when it is due, in µs since 1970 as the database counts them, and its number. */
export type QueuePlace = { dueUs: number; no: number }

/** How far all that rows say is known to be on the dialer: fresh rows before `freshTo`, of the queue up to `queueTo`. */
export type Proven = { freshTo: number; queueTo: QueuePlace }

export const allProven: Proven = {
  freshTo: 2 ** 31 - 1,
  queueTo: { dueUs: Number.MAX_SAFE_INTEGER, no: 2 ** 31 - 1 },
}

export type ClaimRequest = {
  campaignId: number
  wanted: number
  slot: number
  since: Date
  payerIds: readonly number[]
  blacklistOwnerIds: readonly number[]
  probe?: boolean
  proven?: Proven
}

export function claim(db: Queryable, lease: Lease, request: ClaimRequest): Promise<Claimed[]> {
  const { campaignId, wanted, slot, since, payerIds, blacklistOwnerIds, probe = false } = request
  const { freshTo, queueTo } = request.proven ?? allProven
  const chain = [payerIds, blacklistOwnerIds]
  const values = [campaignId, wanted, slot, since, ...chain, probe, freshTo, queueTo.dueUs, queueTo.no]
  return run(db, claimStatement, [...fenced(lease), ...values])
}

/** Why a claim gave nothing. */
export type Why = {
  leased: boolean
  status: string
  over: boolean
  blocked: boolean
  exhausted: boolean
  next_due_at: Date | null
  affordable: boolean
  free_paisa: number
  reserve_paisa: number
  /** What calls earned and no sweep has made spendable. */
  sweepable_paisa: number
  /** Calls of the account that hold a reservation. */
  unsettled: number
  /** Free channels of the account in the chain that has the fewest; null: none is limited. */
  free_channels: number | null
  campaign_free_channels: number
}

const whyStatement = statement<Why>(
  'why',
  `select exists (select from dialer_lease where dialer_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp()) as leased,
  c.status, c.dial_until <= now() as over, c.fresh_next >= c.fresh_end as exhausted,
  exists (select from dial_block b where b.lifted_at is null and (b.kind = 'platform' or b.kind = 'dialer' and b.target_id = $1
    or b.kind = 'trunk' and b.target_id = c.trunk_id or b.kind = 'account' and b.target_id = any ($5::int[]))) as blocked,
  (select min(due_at) from contact_retry r where r.campaign_id = c.id) as next_due_at,
  a.balance_paisa - a.reserved_paisa >= c.reserve_paisa as affordable, a.balance_paisa - a.reserved_paisa as free_paisa, c.reserve_paisa,
  (select coalesce(sum(paisa), 0)::bigint from account_income i where i.account_id = a.id) as sweepable_paisa,
  (select count(*) from attempt_open o where o.account_id = a.id)::int as unsettled,
  (select min(h.channels - h.in_call) from account_channels h where h.account_id = any ($5::int[])) as free_channels,
  (c.channels - (select coalesce(sum(k.in_call), 0) from campaign_count k where k.campaign_id = c.id))::int as campaign_free_channels
from campaign c join account a on a.id = c.account_id where c.id = $4`,
)

export async function why(
  db: Queryable,
  lease: Lease,
  campaignId: number,
  payerIds: readonly number[],
): Promise<Why | undefined> {
  return (await run(db, whyStatement, [...fenced(lease), campaignId, payerIds]))[0]
}
