/**
 * The hot path of dispatching. The idea
 *   the row      is the unit. The first row of each number is numbered 0..fresh_end-1 and needs no queue: campaign.fresh_next is a cursor.
 *                Nothing is searched, so nothing degrades as the campaign drains. A later row of the same number (its follower_no) enters
 *                contact_retry only when the row before it is final, so a number cannot be in two calls of one campaign.
 *   streams      a campaign whose route names operators has a cursor (campaign_stream) and a queue (contact_retry.stream) for each of them, which a
 *                claim is given. Its own cursor is at the end. docs/adr/51.
 *   in flight    attempt_open: written (with the money reserved) before the telephone rings. Small, so takeover reads it whole.
 *                campaign_contact.state is what the row was and will be between calls.
 *   done         attempt: inserted once at the end and never updated. DELETE from attempt_open is what makes an outcome count once.
 *   money        only the user's level is reserved. Settling prices every level from the chain frozen at compose (price_calls_1.sql).
 *   messages     campaign.message_paisa is reserved beside, for the most expensive messages of our own text that one call may bring about. Settling hands over
 *                what is due to the campaign of these messages (sms/), and releases the rest.
 *   hot payees   what calls earn goes to account_income, a row per account and writer: writers never wait for a common reseller, nor for
 *                platform revenue. An account owns balance + income; `sweep` makes income spendable.
 *   channels     account_grant counts the calls of a user and of each ancestor on one dialer, and how many it was granted of their channels
 *                (channels.sql.ts): claims of several dialers never wait for each other there. Channels of CLI, trunk and dialer belong to one dialer,
 *                so its one writer counts them in memory. docs/adr/55.
 *   narrow       campaign_contact has no index on a column that changes, so its one update per attempt is HOT (heap only).
 *   fence        every statement share-locks the dialer's lease row with engine and epoch. A takeover updates that row, so it waits
 *                for statements under way and sees all they wrote; afterwards the old epoch writes nothing.
 *   locks        always lease -> open attempts and their rows -> accounts by id -> campaign -> stream -> account_channels by id -> account_grant from the
 *                highest account -> queue -> income -> counters -> numbers, from the lowest: no deadlocks. What many calls share is locked last, so that claims wait for the end of a batch
 *                only. No foreign keys from hot tables: each insert would lock the reseller's row for key share.
 *                Settling (server/sql/settle_calls_2.sql) locks account_grant after the counters;
 *                those are of accounts that it has, so no claim has them.
 *   numbers      number_use holds who is being called, customers and agents, of all accounts and dialers, and what a number had today. A claim
 *                writes the number's row, the end of the call writes it again and counts, last of all. docs/adr/8.
 *   frozen       a freeze that was committed while the claim waited for the account is seen in that
 *                row alone, account.frozen; all else is read as it was before.
 *   absolute     a row that was waited for is first written from the snapshot's old version, and that draft meets the check constraints:
 *                `reserved = reserved + n` fails though the true row has room. So what was read under the lock is written back whole.
 */
import { operatorPrefixesDefault, operatorRangesOf, type OperatorRanges } from '@ghanti/contract/operators.ts'
import { customerChannelSql } from '../../../dispatch/channel-names.ts'
import { byCursor, nextDue, runByCursor } from './streams.sql.ts'
import { claimAs, ofOneDialer, ofSeveralDialers } from './shared.sql.ts'
import type { ShownCli } from './route.ts'
import {
  arraysOf,
  fenced,
  leaseFence,
  momentOfUs,
  run,
  statement,
  type Lease,
  type Queryable,
} from '../../../dispatch/statement.ts'

/** How often a number may be called on one of Nepal's days (docs/adr/8). */
export type NumberCaps = {
  /** By one account: answered calls, and all calls. */
  answered: number
  attempted: number
  /** By all accounts together. */
  platform: number
}

const operatorRangesDefault = operatorRangesOf(operatorPrefixesDefault)

/** What a claim takes calls of. `stream`: where their rows go back to. `clis`: what they may show. */
export type ClaimOf = { probe: boolean; stream: number; trunkId: number; clis: readonly ShownCli[] }

/** A call that may be dialled: it is recorded and its money reserved. */
export type Claimed = {
  id: number
  channel_id: string
  no: number
  /** E.164 without the plus. */
  phone: number
  attempt_no: number
  /** Calls of this row before this one. */
  congestions: number
  failures: number
  reserved_paisa: number
  /** The caller ID that it shows. */
  cli_id: number
  /** The latest due time taken from the queue, the same in all rows. Null: none came from the queue. */
  since: Date | null
}

/**
 * Claims the calls that may ring now: due rows of the queue first, then fresh ones. When it answers no rows, `why` says why. The caller has
 * checked calling hours and the capacity of CLI, trunk and dialer. It claims one campaign at a time, since a campaign's own calls are counted
 * from the snapshot.
 * - $4 campaign $5 wanted $6 slot
 * - $7 since: dead index entries before it are not read again. Start from the beginning every few seconds, since a row may come in with an
 *   earlier due time.
 * - $8 payers of the campaign's chain: the user and their resellers. $9 owners of blacklists: these and the platform.
 * - $10 a probe: the one call that a campaign on hold for its trunk or for refusals may make. It goes to a fresh row if there is one, since a row
 *   that is due again may fail because of its number.
 * - What is proven (Proven): $11 fresh rows before this one $12 µs $13 no of the last row of the queue.
 * - Caps of a number's day: $14 answered and $15 attempted by this account, $16 attempted by all. A row whose number may not be called now
 *   goes to the end of the queue unchanged: $17 ms later, or at the next midnight.
 * - $18 how many rows to look at, where that is more than may be called. Those from the first callable row on that is too many stay as they are.
 * - Operators' numbers: $19 where ranges begin, $20 whose each is.
 * - $21 the trunk over which they go.
 * - What the calls may show, where that is several caller IDs (chosen_clis): $22 which, $23 their weights, $24 how many calls each. Null: the campaign's.
 * - $25 the stream whose rows these are, where the campaign has several.
 */
const claimText = `with ${leaseFence}, {rooms}payer as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa, c.reserve_paisa, c.message_paisa, {cursor}.fresh_next, {cursor}.fresh_end, $21::int as trunk_id, c.cli_id, c.is_test, c.is_call_now, nepal_day(now()) as today, greatest(0, least($5::int,{limit}
    c.channels - (select coalesce(sum(k.in_call), 0) from campaign_count k where k.campaign_id = $4),
    case when c.reserve_paisa + c.message_paisa = 0 then $5::int else (a.balance_paisa - a.reserved_paisa) / (c.reserve_paisa + c.message_paisa) end))::int as affordable
  from lease, campaign c join account a on a.id = c.account_id{joined}
  where c.id = $4 and {claimer} and c.dial_until > now() and not c.retry_requested and not a.frozen
    and (c.status = 'running' or $10::boolean and c.status = 'onHold' and c.hold_cause in ('trunk', 'refusals'))
    and not exists (select from dial_block b where b.lifted_at is null and b.what <> 'messages' and (b.kind = 'platform' or b.kind = 'dialer' and b.target_id = $1
      or b.kind = 'trunk' and b.target_id = $21::int or b.kind = 'account' and b.target_id = any ($8::int[])))
    and not exists (select from account_stopped_by($8::int[]))
    and exists (select from number_use where phone = 0)
  for no key update of a, {locked}
), this_installation as materialized ( -- read once, not for each call
  select id from installation
), grants as materialized (
  select g.account_id, g.granted, g.in_call from payer, account_grant g -- after the account, as settling does
  where g.dialer_id = $1 and g.account_id = any ($8::int[]) order by g.account_id desc for no key update of g
), limits as materialized (
  select greatest(0, least(p.affordable, (select case when count(*) = cardinality($8::int[]) then min(granted - in_call) else 0 end from grants)))::int as calls from payer p
), room as materialized (
  select calls, case when calls > 0 then greatest(calls, $18::int) else 0 end as looks from limits
), queue_rows as materialized (
  select r.ctid, r.no, r.due_at from contact_retry r where r.campaign_id = $4 and r.stream = {stream} and r.due_at >= $7
    and r.due_at <= least(now(), ${momentOfUs('$12')}) and (r.due_at, r.no) <= (${momentOfUs('$12')}, $13::int) -- the row alone does not end the scan
  order by r.due_at, r.no limit coalesce((select case when $10 and p.fresh_next < p.fresh_end then 0 else r.looks end from payer p, room r), 0) -- without coalesce: no payer, no limit
  for update skip locked
), fresh_rows as materialized (
  select p.fresh_next as lo, least(p.fresh_next + r.looks - q.n, p.fresh_end, $11::int) as hi from payer p, room r, (select count(*)::int n from queue_rows) q
), candidates as materialized (
  select c.no, c.phone, c.attempts, c.congestions, c.failures, c.state, q.due_at,
    exists (select from blacklist b where b.owner_id = any ($9::int[]) and b.phone = c.phone) as blocked,
    n.attempt_id is not null as busy,
    case when n.day is distinct from p.today then null
      when n.others then (select case when sum(tried) filter (where account_id = p.id) >= $15::int or sum(answered) filter (where account_id = p.id) >= $14::int
          then sum(tried) filter (where account_id = p.id) when sum(tried) >= $16::int then sum(tried) end
        from number_day d where d.phone = c.phone and d.day = p.today)::int
      when n.account_id = p.id and (n.tried >= $15::int or n.answered >= $14::int) or n.tried >= $16::int then n.tried end as had
  from payer p cross join campaign_contact c left join queue_rows q on q.no = c.no
    left join lateral (select * from number_use u where u.phone = c.phone offset 0) n on true -- offset: looked up by row, the table is never read whole
  where c.campaign_id = $4 and c.state in ('fresh', 'waiting')
    and c.no = any (array(select no from queue_rows union all select generate_series(f.lo, f.hi - 1) from fresh_rows f))
), firsts as materialized ( -- one of each number
  select distinct on (phone) no from candidates where not blocked and not busy and had is null order by phone, due_at nulls last, no
), ranking as materialized ( -- nth: of how many callable rows it is the last, or follows the last
  select s.*, k.no is not null as callable, count(k.no) over (order by s.due_at nulls last, s.no) as nth from candidates s left join firsts k on k.no = s.no
), surplus as materialized ( -- from the first callable row on that is too many: they stay
  select no, due_at from ranking where nth > (select calls from room)
), due as materialized (
  select * from ranking where nth <= (select calls from room)
), removals as (
  delete from contact_retry r where r.ctid = any (array(select ctid from queue_rows where no not in (select no from surplus))) returning r.no, r.due_at -- locked above, so ctid holds
), advance as (
  update {table} c set fresh_next = f.hi from (select lo, coalesce((select min(no) from surplus where due_at is null), hi) as hi from fresh_rows) f
  where {line} and f.lo < f.hi
), calls as materialized (
  select w.*, nextval('attempt_open_id_seq') as id, row_number() over ()::int as place from (
    select d.* from due d where d.callable order by d.phone) w
), choice as materialized (
  select chosen_clis(array(select phone from calls order by place), $22::int[], $23::int[], {room}) as clis where $22::int[] is not null
), number_uses as (
  insert into number_use as n (phone, attempt_id) select phone, id from calls order by phone
  on conflict (phone) do update set attempt_id = excluded.attempt_id where n.attempt_id is null returning attempt_id
), attempts as (
  insert into attempt_open (id, dialer_id, epoch, campaign_id, no, attempt_no, from_state, account_id, phone, reserved_paisa, message_paisa, trunk_id, cli_id, kind, operator, stream) overriding system value
  select w.id, $1, $3, $4, w.no, w.attempts + 1, w.state, p.id, w.phone, p.reserve_paisa, p.message_paisa, p.trunk_id, coalesce((select clis from choice)[w.place], p.cli_id), case when p.is_call_now then 'callNow' when p.is_test then 'test' else 'campaign' end::attempt_kind,
    coalesce(($20::smallint[])[width_bucket(w.phone, $19::bigint[])], 0), {stream}
  from calls w, payer p where (w.id in (select attempt_id from number_uses)) is true
  returning id, no
), put_off as (
  insert into contact_retry (campaign_id, stream, due_at, no, put_off)
  select $4, {stream}, case when d.had is not null then nepal_midnight(nepal_day(now()) + 1) when d.busy or d.no in (select no from calls) then now() + $17::int * interval '1 ms' else now() end,
    d.no, case when d.had is not null then d.had when d.busy or d.no in (select no from calls) then 0 end
  from due d where not d.blocked and (d.no in (select no from attempts)) is not true
  returning no, due_at, put_off
), dnd_rows as (
  update campaign_contact c set state = case when c.attempts + c.congestions = 0 then 'dnd'::row_state else 'done' end
  where c.campaign_id = $4 and c.no = any (array(select no from due where blocked)) returning c.follower_no
), followers as (
  insert into contact_retry (campaign_id, stream, due_at, no) select $4, {stream}, now(), follower_no from dnd_rows where follower_no is not null
), reservation as (
  update account a set balance_paisa = p.balance_paisa, reserved_paisa = p.reserved_paisa + n.n * (p.reserve_paisa + p.message_paisa)
  from payer p, (select count(*) n from attempts) n where a.id = p.id and n.n > 0
), channel_counts as (
  update account_grant g set in_call = l.in_call + n.n::int, served_at = now()
  from grants l, (select count(*) n from attempts) n where g.dialer_id = $1 and g.account_id = l.account_id and n.n > 0
), counts as (
  insert into campaign_count as k (campaign_id, slot, fresh, waiting, in_call, dnd, done)
  select $4, $6, -count(*) filter (where state = 'fresh'), -count(*) filter (where state = 'waiting'), count(*) filter (where not blocked),
    count(*) filter (where blocked and attempts + congestions = 0), count(*) filter (where blocked and attempts + congestions > 0)
  from due d where d.blocked or d.no in (select no from attempts) having count(*) > 0
  on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting,
    in_call = k.in_call + excluded.in_call, dnd = k.dnd + excluded.dnd, done = k.done + excluded.done
)
select o.id, ${customerChannelSql('$3::bigint')} as channel_id, o.no, o.phone, o.attempts + 1 as attempt_no, p.reserve_paisa as reserved_paisa, o.congestions, o.failures, coalesce((select clis from choice)[o.place], p.cli_id) as cli_id,
  (select max(due_at) from removals) as since, null as put_off, null as first_put_off, null as next_due_at, null as suppressed
from calls o, payer p, this_installation i where (o.id in (select id from attempts)) is true
union all select null, null, null, null, null, null, null, null, null, null, count(*)::int, (array_agg(put_off order by due_at, no))[1], min(due_at), (select count(*) from dnd_rows)::int
from put_off where put_off is not null having count(*) > 0 or exists (select from dnd_rows) order by no nulls last`

const claimStatements = byCursor<Claimed | PutOff>('claim', claimAs(ofOneDialer, claimText), '$25')
const sharedStatements = byCursor<Claimed | PutOff>('claim_shared', claimAs(ofSeveralDialers('$21'), claimText), '$25')

/** The last row of a claim that put rows off (how many, why the first of them waits, as in contact_retry, and until when) or met blacklisted ones. */
type PutOff = { id: null; put_off: number; first_put_off: number | null; next_due_at: Date | null; suppressed: number }

/** `suppressed`: how many rows were blacklisted. */
export type Claim = {
  calls: Claimed[]
  putOff: { rows: number; calledToday: number; dueAt: Date } | null
  suppressed: number
}

export const nothingClaimed: Claim = { calls: [], putOff: null, suppressed: 0 }

/** A row of the queue: when it is due, in µs since 1970 by the database's clock, and its number. */
export type QueuePlace = { dueUs: number; rowNo: number }

/** How far the sounds of all rows are known to be on the dialer: fresh rows before `freshTo`, queued ones up to `queueTo`. */
export type Proven = { freshTo: number; queueTo: QueuePlace }

export const allProven: Proven = {
  freshTo: 2 ** 31 - 1,
  queueTo: { dueUs: Number.MAX_SAFE_INTEGER, rowNo: 2 ** 31 - 1 },
}

export type ClaimRequest = {
  campaignId: number
  /** Null or left out: the campaign has one cursor. */
  stream?: number | null
  /** Its calls go over several dialers: the claim is made while the lock of its caller ID is held (shared.sql.ts). */
  isShared?: boolean
  trunkId: number
  /** What calls may show over the trunk; one of them has room for each call that is wanted. Left out: the campaign's caller ID. */
  clis?: readonly { id: number; weight: number; room: number }[]
  wanted: number
  slot: number
  since: Date
  payerIds: readonly number[]
  blacklistOwnerIds: readonly number[]
  probe?: boolean
  proven?: Proven
  caps: NumberCaps
  /** After how long a row whose number is in another call is tried again. */
  busyMs: number
  /** How many rows to look at for callable ones. 0: as many as may be called. */
  looks?: number
  operators?: OperatorRanges
}

export async function claim(db: Queryable, lease: Lease, request: ClaimRequest): Promise<Claim> {
  const {
    campaignId,
    wanted,
    slot,
    since,
    payerIds,
    blacklistOwnerIds,
    probe = false,
    caps,
    busyMs,
    looks = 0,
    operators = operatorRangesDefault,
  } = request
  const { freshTo, queueTo } = request.proven ?? allProven
  const chain = [payerIds, blacklistOwnerIds]
  const numbers = [caps.answered, caps.attempted, caps.platform, busyMs, looks]
  const ranges = [operators.boundaries, operators.codes]
  const values = [
    campaignId,
    wanted,
    slot,
    since,
    ...chain,
    probe,
    freshTo,
    queueTo.dueUs,
    queueTo.rowNo,
    ...numbers,
    ...ranges,
    request.trunkId,
    ...cliArrays(request.clis),
  ]
  const calls: Claimed[] = []
  let [putOff, suppressed]: [Claim['putOff'], number] = [null, 0]
  const claimed = await runByCursor(
    db,
    request.isShared ? sharedStatements : claimStatements,
    [...fenced(lease), ...values],
    request.stream ?? null,
  )
  for (const row of claimed) {
    if (row.id !== null) {
      calls.push(row)
      continue
    }
    suppressed = row.suppressed
    const { put_off: rows, first_put_off: calledToday, next_due_at: dueAt } = row
    if (calledToday !== null && dueAt !== null) putOff = { rows, calledToday, dueAt }
  }
  return { calls, putOff, suppressed }
}

function cliArrays(clis: ClaimRequest['clis']): (number[] | null)[] {
  return clis ? arraysOf(clis, 'id', 'weight', 'room') : [null, null, null]
}

/** Why a claim gave nothing. */
export type Why = {
  leased: boolean
  status: string
  over: boolean
  /** After a crash of the database, while calls and their numbers are being counted again. */
  counting: boolean
  blocked: boolean
  exhausted: boolean
  next_due_at: Date | null
  affordable: boolean
  free_paisa: number
  reserve_paisa: number
  /** Earnings that no sweep has made spendable yet. */
  sweepable_paisa: number
  /** Calls of the account that hold a reservation. */
  unsettled: number
  /** What the dialer may still begin of the account in the chain that has the fewest free channels here. */
  free_channels: number
  campaign_free_channels: number
}

const whyStatement = statement<Why>(
  'why',
  `select exists (select from dialer_lease where dialer_id = $1 and engine_id = $2 and epoch = $3 and expires_at > clock_timestamp()) as leased,
  c.status, c.dial_until <= now() as over, c.fresh_next >= c.fresh_end and not exists (select from campaign_stream s where s.campaign_id = c.id and s.fresh_next < s.fresh_end) as exhausted,
  exists (select from dial_block b where b.lifted_at is null and b.what <> 'messages' and (b.kind = 'platform' or b.kind = 'dialer' and b.target_id = $1
    or b.kind = 'trunk' and b.target_id = c.trunk_id or b.kind = 'account' and b.target_id = any ($5::int[]))) as blocked,
  not exists (select from number_use where phone = 0) as counting,
  (${nextDue}) as next_due_at,
  a.balance_paisa - a.reserved_paisa >= c.reserve_paisa + c.message_paisa as affordable, a.balance_paisa - a.reserved_paisa as free_paisa, c.reserve_paisa + c.message_paisa as reserve_paisa,
  (select coalesce(sum(paisa), 0)::bigint from account_income i where i.account_id = a.id) as sweepable_paisa,
  (select count(*) from attempt_open o where o.account_id = a.id)::int as unsettled,
  (select min(coalesce(g.granted - g.in_call, 0)) from unnest($5::int[]) p (id) left join account_grant g on g.account_id = p.id and g.dialer_id = $1) as free_channels,
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
