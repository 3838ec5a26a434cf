/**
 * The hot path of messages. The idea, which is that of calls (voice/model/campaigns/claim.sql.ts) where nothing else is said
 *   the unit     is the row: one message to one number. Rows are numbered by operator when they are prepared, so the fresh ones of each operator are
 *                a range of numbers, and sms_stream.fresh_next is a cursor in it. A claim is for one campaign and one operator, and tests nothing.
 *   in flight    sms_open: written, with the money reserved, before the first byte leaves. That a row is in flight stands there and nowhere else;
 *                sms_message.state is what the row was and will be. What is in sms_open with an epoch that is over was cut off by a crash.
 *   at most once a row comes back from sms_open only when no byte of it left (unsent), the gateway took nothing of it (throttled) or was itself at
 *                fault and took nothing. Whatever else happened ends the row or makes it unknown, and an unknown row is never sent again by itself.
 *   unknown      the line stays in sms_open, with its money, until a receipt, a late answer (late.sql.ts) or 72 h. The row is counted as unknown from
 *                the first moment.
 *   done         sms_sent
 *   receipts     are matched by the gateway's id of each segment (sms_segment_id), and counted once by that row's state. Those that match nothing
 *                wait in sms_receipt_early: they came before their answer, or are nobody's.
 *   money        a claim reserves segments x price at the user's level; settling pays for the segments that were accepted, at every level, from the
 *                chain frozen at compose.
 *   after calls  a campaign whose messages follow calls has no fresh rows: the end of a call puts each into the queue, with the money that the call had
 *                reserved for it (sms_retry.held_paisa). Such a row needs no free money; its money goes with it, to sms_open and back, until it is
 *                paid or released, so that at every moment an account's reservation is that of its calls, of its messages in flight and of those to come.
 *   feeds        messages that programs send one by one (server/sql/accept_message_1.sql) come
 *                with their money, as those after calls do. Each has a moment after which it does
 *                not leave: claims pass it by, and expire_messages_1.sql ends it.
 *   counters     sms_campaign_count, a row per campaign and writer. The slot is the gateway's id, so of two processes no two write one row.
 *   fence        the gateway's lease. Lease 0 is the coordinator's.
 *   locks        always lease -> open messages and their rows -> campaign (shared) -> accounts by id -> stream -> queue -> income -> counters -> numbers.
 *                A number's row belongs to an account, under whose lock alone it is written.
 */
import { run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from './lease.sql.ts'

/** How many messages a number may get on one of Nepal's days: from one account, and from all. */
export type SmsNumberCaps = { account: number; platform: number }

/** A message that may be sent: it is recorded and its money reserved. */
export type ClaimedMessage = {
  id: number
  no: number
  /** E.164 without the plus. */
  phone: number
  segments: number
  /** How often a gateway was at fault for this row. */
  faults: number
  reserved_paisa: number
  /** The other columns of its row. Null: it has none, or its text uses none. */
  vars: Record<string, string> | null
  /** It is not sent after this moment. Null: at any time. */
  until: Date | null
  /** It is sent at any hour. */
  is_urgent: boolean
}

type Rest = { id: null; put_off: number; short: number | null; blocked: number }

/**
 * What may be sent now: due rows of the queue first, then fresh ones. $4 campaign $5 operator $6 wanted $7 slot $8 payers of the chain: the user and
 * the resellers above. $9 owners of blacklists: these and the platform. Of one number on one of Nepal's days: $10 messages of this account $11 of all.
 * $12 a probe: a fresh row while there is one, because a row that is due again may have failed through a fault of its own.
 * $13 how many rows to look at, where that is more than may be sent. Those from the first row on that might be sent and is too many stay as they are.
 * $14 only what is sent at any hour.
 * A row whose number has had its messages of the day waits for the next midnight. Rows that cannot be paid for go back to the queue as they are.
 */
const claimStatement = statement<ClaimedMessage | Rest>(
  'sms_claim',
  `with ${leaseFence}, payer as materialized (
  select a.id, a.balance_paisa, a.reserved_paisa, a.balance_paisa - a.reserved_paisa as free_paisa, c.price_paisa, (c.call_campaign_id is not null or c.feed is not null) as is_held, c.feed is not null as is_feed, s.fresh_next, s.fresh_end, nepal_day(now()) as today,
    case when c.price_paisa = 0 or c.call_campaign_id is not null or c.feed is not null then $6::int else greatest(0, least($6::int, (a.balance_paisa - a.reserved_paisa) / c.price_paisa))::int end as affordable
  from lease, sms_campaign c join account a on a.id = c.account_id join sms_stream s on s.campaign_id = c.id and s.operator = $5::smallint
  where c.id = $4 and c.status = 'running' and c.send_until > now() and not c.retry_requested
    and not exists (select from dial_block b where b.lifted_at is null and b.what <> 'calls' and (b.kind = 'platform'
      or b.kind = 'gateway' and b.target_id = $1 or b.kind = 'account' and b.target_id = any ($8::int[])))
    and not exists (select from account_stopped_by($8::int[]))
    and not a.frozen -- as it is once it is locked: the rest is of the snapshot
  for share of c for no key update of a for no key update of s
), room as materialized (
  select affordable, case when affordable > 0 then greatest(affordable, $13::int) else 0 end as looks from payer
), queue_rows as materialized (
  select r.ctid, r.no, r.due_at, r.held_paisa, r.until, r.is_urgent from sms_retry r where r.campaign_id = $4 and r.operator = $5::smallint and r.due_at <= now() and (r.until is null or r.until > now()) and (r.is_urgent or not $14::boolean)
  order by r.due_at, r.no limit coalesce((select case when $12::boolean and p.fresh_next < p.fresh_end then 0 else r.looks end from payer p, room r), 0) -- without coalesce: no payer, no limit
  for update skip locked
), fresh_rows as materialized (
  select p.fresh_next as lo, least(p.fresh_next + r.looks - q.n, p.fresh_end) as hi from payer p, room r, (select count(*)::int n from queue_rows) q
), candidates as materialized (
  select m.campaign_id, m.operator, m.no, m.phone, m.segments, m.state, m.faults, q.due_at, q.until, coalesce(q.is_urgent, false) as is_urgent, m.segments * p.price_paisa as paisa, case when p.is_held then m.segments * p.price_paisa else 0 end as held_paisa,
    exists (select from blacklist b where b.phone = m.phone and b.owner_id = any ($9::int[])) as blocked,
    case when d.own >= $10::int then d.own when d.every >= $11::int then d.every end as had
  from payer p cross join sms_message m left join queue_rows q on q.no = m.no left join lateral (
    select sum(n.sent) filter (where n.account_id = p.id)::int as own, sum(n.sent)::int as every from sms_number_day n where n.phone = m.phone and n.day = p.today offset 0) d on true
  where m.campaign_id = $4 and m.state in ('fresh', 'waiting')
    and m.no = any (array(select no from queue_rows union all select generate_series(f.lo, f.hi - 1) from fresh_rows f))
), firsts as materialized ( -- one of each number a claim
  select distinct on (phone) no from candidates where not blocked and had is null order by phone, due_at nulls last, no
), ranking as materialized ( -- nth: of how many of them it is the last, or follows the last
  select s.*, f.no is not null as is_first, count(f.no) over (order by s.due_at nulls last, s.no) as nth from candidates s left join firsts f on f.no = s.no
), surplus as materialized ( -- rows from the first one that is too many: they stay as they are
  select no, due_at from ranking where nth > (select affordable from room)
), due as materialized (
  select * from ranking where nth <= (select affordable from room)
), removals as (
  delete from sms_retry r where r.ctid = any (array(select ctid from queue_rows where no not in (select no from surplus))) returning r.no, r.held_paisa -- locked above, so ctid holds
), advance as (
  update sms_stream s set fresh_next = f.hi from (select lo, coalesce((select min(no) from surplus where due_at is null), hi) as hi from fresh_rows) f
  where s.campaign_id = $4 and s.operator = $5::smallint and f.lo < f.hi
), running_sums as materialized (
  select d.*, sum(paisa - held_paisa) over (order by no) as upto_paisa from due d where is_first
), messages as materialized (
  select s.*, nextval('sms_open_id_seq') as id from (select * from running_sums order by no) s, payer p where s.upto_paisa <= p.free_paisa
), number_days as (
  insert into sms_number_day as n (phone, account_id, day, sent)
  select w.phone, p.id, p.today, 1 from messages w, payer p order by w.phone
  on conflict (phone, account_id) do update set day = excluded.day, sent = case when n.day = excluded.day then n.sent else 0 end + 1
  where n.day <> excluded.day or n.sent < $10::int returning n.phone
), submissions as (
  insert into sms_open (id, gateway_id, epoch, campaign_id, no, account_id, phone, operator, segments, reserved_paisa, is_held, from_state, day, until, is_urgent) overriding system value
  select w.id, $1, $3, w.campaign_id, w.no, p.id, w.phone, w.operator, w.segments, w.paisa, w.held_paisa > 0, w.state, p.today, w.until, w.is_urgent from messages w, payer p
  where (w.phone in (select phone from number_days)) is true order by w.no returning id, no, reserved_paisa
), put_off as (
  insert into sms_retry (campaign_id, operator, due_at, no, put_off, held_paisa, until, is_urgent)
  select d.campaign_id, d.operator, case when d.had is not null then nepal_midnight(nepal_day(now()) + 1) else now() end, d.no, d.had, d.held_paisa, d.until, d.is_urgent
  from due d where not d.blocked and (d.no in (select no from submissions)) is not true returning put_off, held_paisa
), dnd_rows as (
  update sms_message m set state = 'dnd' where m.campaign_id = $4 and m.no = any (array(select no from due where blocked)) returning m.campaign_id, m.no
), told as ( -- hooks: no history has rows that end here
  insert into hook_news (user_id, type, of_messages, campaign_id, ids)
  select p.id, 'messages.changed', true, e.campaign_id, array_agg(e.no order by e.no)
  from payer p, dnd_rows e where hooks_want(p.id, 'messages.changed') group by p.id, e.campaign_id
), reservation as (
  update account a set balance_paisa = p.balance_paisa, reserved_paisa = p.reserved_paisa + n.paisa -- what was reserved goes along, back, or is released with the row
  from payer p, (select (select coalesce(sum(reserved_paisa), 0) from submissions)::bigint + (select coalesce(sum(held_paisa), 0) from put_off)::bigint
    - (select coalesce(sum(held_paisa), 0) from removals)::bigint as paisa) n where a.id = p.id and n.paisa <> 0
), counts as (
  insert into sms_campaign_count as k (campaign_id, slot, fresh, waiting, in_flight, dnd)
  select $4, $7, -count(*) filter (where state = 'fresh'), -count(*) filter (where state = 'waiting'), count(*) filter (where not blocked), count(*) filter (where blocked)
  from due d where d.blocked or d.no in (select no from submissions) having count(*) > 0
  on conflict (campaign_id, slot) do update set fresh = k.fresh + excluded.fresh, waiting = k.waiting + excluded.waiting,
    in_flight = k.in_flight + excluded.in_flight, dnd = k.dnd + excluded.dnd
)
select w.id, w.no, w.phone, w.segments, w.faults, w.paisa as reserved_paisa, coalesce(v.vars, t.vars) as vars, w.until, w.is_urgent, null::int as put_off, null::bigint as short, null::int as blocked
from messages w left join sms_value v on v.campaign_id = w.campaign_id and v.no = w.no
  left join lateral (select jsonb_build_object('text', s.text) as vars from payer p, api_send s where p.is_feed and s.campaign_id = w.campaign_id and s.no = w.no) t on true
  where (w.id in (select id from submissions)) is true
union all select null, null, null, null, null, null, null, null, null, (select count(put_off) from put_off)::int,
  case when p.affordable = 0 then p.price_paisa else (select min(s.upto_paisa) from running_sums s where s.upto_paisa > p.free_paisa) end, (select count(*) from due where blocked)::int
from payer p order by no nulls last`,
)

export type SmsClaim = {
  messages: ClaimedMessage[]
  /** Rows that wait for the next day, because of their numbers. */
  putOff: number
  /** How much free money would allow more messages. Null: money is not what is missing. */
  short: number | null
  /** Rows that the blacklist took out. */
  blocked: number
  /** False: the campaign is not running, is stopped, or the lease is over. */
  open: boolean
}

export type SmsClaimRequest = {
  campaignId: number
  operator: number
  wanted: number
  slot: number
  payerIds: readonly number[]
  blacklistOwnerIds: readonly number[]
  caps: SmsNumberCaps
  /** One message, which shows whether a gateway works again. */
  probe?: boolean
  /** How many rows to look at for some that may be sent. 0: as many as may be sent. */
  looks?: number
  /** Only messages that are sent at any hour. */
  urgentOnly?: boolean
}

export async function claim(db: Queryable, lease: SmsLease, request: SmsClaimRequest): Promise<SmsClaim> {
  const { campaignId, operator, wanted, slot, payerIds, blacklistOwnerIds, caps, probe = false } = request
  const values = [
    campaignId,
    operator,
    wanted,
    slot,
    payerIds,
    blacklistOwnerIds,
    caps.account,
    caps.platform,
    probe,
    request.looks ?? 0,
    request.urgentOnly ?? false,
  ]
  const claimed: SmsClaim = { messages: [], putOff: 0, short: null, blocked: 0, open: false }
  for (const row of await run(db, claimStatement, [...fenced(lease), ...values])) {
    if (row.id !== null) claimed.messages.push(row)
    else Object.assign(claimed, { putOff: row.put_off, short: row.short, blocked: row.blocked, open: true })
  }
  return claimed
}
