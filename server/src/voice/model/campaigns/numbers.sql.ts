import { settings } from '../../../modules/platform/rules.ts'
import type { NumberCaps } from './claim.sql.ts'
import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'

/*
 * Who is being called (docs/adr/8). Claims, settling and trunk tests write number_use in statements of their own. Without row (0, 0) the table says
 * nothing, and nobody is called.
 */

/** Whether an agent's telephone may be rung, and if not, why. */
export type TakenAgent = 'taken' | 'notFree' | 'blacklisted' | 'calledOften'

/**
 * $4 agent $5 attempt $6 owners of blacklists $7 the default of the platform's cap. The number's calls of today are read in the snapshot in which it is in no
 * call, as a claim reads them: whoever ends a call there counts it in the statement that frees the number.
 */
const takeAgentStatement = statement<{ taken: TakenAgent }>(
  'take_agent',
  `with ${leaseFence}, open as materialized (
  select o.id, o.agent from lease, attempt_open o where o.id = $5 and o.dialer_id = $1 for no key update of o
), answer as materialized (
  select exists (select from blacklist b where b.owner_id = any ($6::int[]) and b.phone = $4::bigint) as blocked,
    exists (select from number_use n where n.phone = $4::bigint and n.attempt_id is not null) as busy,
    (select coalesce(sum(d.tried), 0) from number_day d where d.phone = $4::bigint and d.day = nepal_day(now()))
      >= coalesce((select (value ->> 'platform')::int from platform_setting where key = 'number_caps'), $7::int) as capped
), number_uses as (
  insert into number_use as n (phone, attempt_id) select $4::bigint, o.id from open o, answer f
  where o.agent is distinct from $4::bigint and not f.blocked and not f.busy and not f.capped and exists (select from number_use where phone = 0)
  on conflict (phone) do update set attempt_id = excluded.attempt_id where n.attempt_id is null returning attempt_id
), agents as (
  update attempt_open o set agent = $4::bigint from number_uses t
  where o.id = t.attempt_id returning o.id
)
select case when o.agent = $4::bigint or exists (select from agents) then 'taken' when f.blocked then 'blacklisted' when f.capped then 'calledOften' else 'notFree' end as taken
from open o, answer f`,
)

/**
 * Takes an agent's number: a telephone takes one call at a time, from whatever dialer, obeys the blacklists of the call's chain, and is rung in vain no more
 * often a day than the platform lets all accounts call a number.
 */
export async function takeAgent(
  db: Queryable,
  lease: Lease,
  agent: number,
  of: { attemptId: number; blacklistOwnerIds: readonly number[] },
): Promise<TakenAgent> {
  const values = [agent, of.attemptId, of.blacklistOwnerIds, settings.numberCaps.fallback.platform]
  return (await run(db, takeAgentStatement, [...fenced(lease), ...values]))[0]?.taken ?? 'notFree'
}

const takeCustomerStatement = statement<{ id: number }>(
  'take_customer',
  `with ${leaseFence}
update attempt_open o set customer_called = true from lease where o.id = $4 and o.dialer_id = $1 and not o.customer_called returning o.id`,
)

/** Call Now: true for the first engine that asks whether the customer may be rung, false afterwards. */
export async function takeCustomer(db: Queryable, lease: Lease, attemptId: number): Promise<boolean> {
  return (await run(db, takeCustomerStatement, [...fenced(lease), attemptId])).length === 1
}

/**
 * $4 agent $5 attempt $6 whether the leg counts, as a call of account 0. The day is that of its end, since the number may have had calls of that day before.
 */
const releaseAgentStatement = statement(
  'release_agent',
  `with ${leaseFence}, agents as (
  update attempt_open o set
    agent = nullif(o.agent, $4::bigint),
    agents_counted = case
      when $6::boolean then o.agents_counted || $4::bigint
      else o.agents_counted
    end
  from lease
  where o.id = $5
    and (o.agent = $4::bigint or $6::boolean)
  returning o.id
)
select free_numbers_1(
  array[n.attempt_id],
  array[n.phone],
  array[0],
  array[case when $6::boolean then nepal_day(now()) end],
  array[0]
)
from lease
cross join number_use n
where n.phone = $4::bigint
  and n.attempt_id = $5
  and (select count(*) from agents) >= 0 -- the attempt first, as who ends the call does
  -- an agent who is also the customer was never taken
  and not exists (select from attempt_open o where o.id = n.attempt_id and o.phone = n.phone)`,
)

/** `counts`: the leg is one of the number's calls of the day. */
export async function releaseAgent(
  db: Queryable,
  lease: Lease,
  agent: number,
  { attemptId, counts }: { attemptId: number; counts: boolean },
): Promise<void> {
  await run(db, releaseAgentStatement, [...fenced(lease), agent, attemptId, counts])
}

const rebuildStatement = statement<{ rebuilt: boolean }>('rebuild_numbers', 'select rebuild_numbers() as rebuilt')

/** Fills empty tables again after a crash of the database. False: there was nothing to do, or another engine does it. */
export async function rebuildNumbers(db: Queryable): Promise<boolean> {
  return (await run(db, rebuildStatement, []))[0]?.rebuilt ?? false
}

/**
 * Finds numbers whose holder is gone. One statement has one snapshot, and a number comes and goes in the transaction of its holder, so the
 * answer is exact. It reads the whole table and waits for nobody.
 */
const freeStatement = statement<{ phone: number }>(
  'free_numbers',
  `with stray_numbers as materialized (
  select n.ctid from number_use n where n.attempt_id <> 0
    and not exists (select from attempt_open o where o.id = n.attempt_id and n.phone in (o.phone, o.agent))
    and not exists (select from trunk_test t where t.id = -n.attempt_id and t.ended_at is null and t.taken_at > now() - interval '3 minutes')
  for update skip locked
)
update number_use n set attempt_id = null where n.ctid = any (array(select ctid from stray_numbers)) returning phone`,
)

/** Releases the numbers of trunk tests whose engine died. Returns the numbers. */
export async function freeNumbers(db: Queryable): Promise<number[]> {
  return (await run(db, freeStatement, [])).map((row) => row.phone)
}

/** $1 from this number on $2 rows at most. Skips locked rows, because a batch of calls that ends may hold one and wait for this statement. */
const forgetDaysStatement = statement<{ last: number | null }>(
  'forget_days',
  `with part as materialized (
  select phone, attempt_id, day from number_use where phone > $1::bigint order by phone limit $2::int
), old as materialized (
  select n.ctid from part p join number_use n on n.phone = p.phone
  where p.attempt_id is null and (p.day < nepal_day(now())) is not false and n.attempt_id is null and (n.day < nepal_day(now())) is not false
  for update of n skip locked
), removals as (
  delete from number_use n where n.ctid = any (array(select ctid from old))
)
select max(phone) as last from part having count(*) = $2::int`,
)

const forgetOthersStatement = statement(
  'forget_days_of_others',
  `delete from number_use_others where ctid = any (array(
  select ctid from number_use_others where day < nepal_day(now()) for update skip locked))`,
)

const forgottenAtOnce = 10_000

/** Removes what numbers had on days before today. */
export async function forgetDays(db: Queryable): Promise<void> {
  for (let from: number | null = 0; from !== null;)
    from = (await run(db, forgetDaysStatement, [from, forgottenAtOnce]))[0]?.last ?? null
  await run(db, forgetOthersStatement, [])
}

export type RowPlace = { campaignId: number; rowNo: number }

/**
 * For a campaign of several dialers, each dialer makes the rows due, since one may have put rows off by the old caps after another had finished. $4 campaign $5 row: the rows after it, by campaign and number, as long as their numbers are less than $6 higher. The range is by number and
 * not by `limit`, because PostgreSQL guesses the number of waiting rows far too low and would read and sort all of them for each part.
 */
const recallStatement = statement<{ campaign_id: number; no: number }>(
  'recall_put_off',
  `with ${leaseFence}, first as materialized (
  select c.id as campaign_id, w.no from lease, campaign c cross join lateral (
    select r.no from contact_retry r where r.campaign_id = c.id and r.put_off > 0 and r.no > case when c.id = $4::int then $5::int else -1 end order by r.no limit 1
  ) w
  where (c.dialer_id = $1 or c.is_shared) and c.status not in ('complete', 'cancelled', 'refused', 'failed') and c.id >= $4::int order by c.id limit 1
), recalls as (
  update contact_retry r set due_at = now(), put_off = null from first f
  where r.campaign_id = f.campaign_id and r.put_off > 0 and r.no >= f.no and r.no < f.no + $6::int
)
select campaign_id, no + $6::int - 1 as no from first`,
)

/**
 * Makes at most `rows` rows that wait for tomorrow due again, in order from a given place. A row that is put off again meanwhile does not come
 * after that place. Returns the place that was reached; null: there are no more.
 */
export async function recallPutOff(
  db: Queryable,
  lease: Lease,
  after: RowPlace,
  rows: number,
): Promise<RowPlace | null> {
  const [to] = await run(db, recallStatement, [...fenced(lease), after.campaignId, after.rowNo, rows])
  return to ? { campaignId: to.campaign_id, rowNo: to.no } : null
}

const loadCapsStatement = statement<{ put_off_caps: unknown }>(
  'load_put_off_caps',
  'select put_off_caps from dialer_lease where dialer_id = $1',
)

/** The lowest caps for which rows of the dialer's campaigns may be waiting. Null: not known. */
export async function loadPutOffCaps(db: Queryable, dialerId: number): Promise<unknown> {
  return (await run(db, loadCapsStatement, [dialerId]))[0]?.put_off_caps ?? null
}

const saveCapsStatement = statement(
  'save_put_off_caps',
  'update dialer_lease set put_off_caps = $4::jsonb where dialer_id = $1 and engine_id = $2 and epoch = $3',
)

export async function savePutOffCaps(db: Queryable, lease: Lease, caps: NumberCaps): Promise<void> {
  await run(db, saveCapsStatement, [...fenced(lease), JSON.stringify(caps)])
}
