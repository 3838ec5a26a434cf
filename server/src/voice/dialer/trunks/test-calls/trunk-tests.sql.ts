import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../../dispatch/statement.ts'

/** Dialers of which somebody asked to test a trunk. */
export const dialersWithTests = `select distinct dialer_id from trunk_test
where taken_at is null and ended_at is null and asked_at > now() - interval '10 seconds'`

export type TrunkTest = {
  id: number
  trunk_id: number
  kind: 'ping' | 'call'
  phone: number | null
  cli: string | null
}

/** Of several tests for one number, one takes it. Numbers are taken in ascending order, as claims do. $4 why a test ends whose number is in a call. */
const takeTestsStatement = statement<TrunkTest & { is_over: boolean }>(
  'take_tests',
  `with ${leaseFence}, due as materialized (
  select t.id, t.phone from lease, trunk_test t
  where t.dialer_id = $1 and t.taken_at is null and t.ended_at is null and t.asked_at > now() - interval '10 seconds' for no key update of t
), numbers as (
  insert into number_use as n (phone, attempt_id)
  select distinct on (phone) phone, -id from due where phone is not null and exists (select from number_use where phone = 0) order by phone, id
  on conflict (phone) do update set attempt_id = excluded.attempt_id where n.attempt_id is null returning attempt_id
), decisions as (
  select id, phone is not null and -id not in (select attempt_id from numbers) as is_busy from due
)
update trunk_test t set taken_at = clock_timestamp(), ended_at = case when is_busy then clock_timestamp() end,
  passed = case when is_busy then false end, result = case when is_busy then $4::text end
from decisions d where t.id = d.id
returning t.id, t.trunk_id, t.kind, t.phone, t.cli, d.is_busy as is_over`,
)

/**
 * Tests that were requested within the last 10 s and that nobody has taken yet: a telephone must not ring when nobody waits for it any more. A
 * test call holds its number until it is reported as over. A test whose number is in another call ends at once, for the reason `busy`.
 */
export async function takeTests(db: Queryable, lease: Lease, busy: string): Promise<TrunkTest[]> {
  const tests = await run(db, takeTestsStatement, [...fenced(lease), busy])
  return tests.filter((test) => !test.is_over)
}

/** $7 ms that must have passed since the engine's last call to the number, over any trunk; $8 how many of them a day. */
const beginTestStatement = statement<TrunkTest | Record<keyof TrunkTest, null>>(
  'begin_test',
  `with ${leaseFence}, earlier_tests as materialized (
  select count(*) filter (where taken_at > now() - $7::int * interval '1 ms') as lately, count(*) filter (where taken_at >= nepal_midnight(nepal_day(now()))) as today
  from trunk_test where phone = $5::bigint and by_user_id is null and taken_at > least(nepal_midnight(nepal_day(now())), now() - $7::int * interval '1 ms')
), numbers as (
  insert into number_use as n (phone, attempt_id) select $5::bigint, -nextval(pg_get_serial_sequence('trunk_test', 'id')) from lease, earlier_tests
  where lately = 0 and today < $8::int and exists (select from number_use where phone = 0)
  on conflict (phone) do update set attempt_id = excluded.attempt_id where n.attempt_id is null returning phone, -attempt_id as id
), test as (
  insert into trunk_test (id, trunk_id, dialer_id, kind, phone, cli, taken_at) overriding system value
  select id, $4::int, $1, 'call', phone, $6::text, clock_timestamp() from numbers
  returning id, trunk_id, kind, phone, cli
)
select * from test union all select null, null, null, null, null from earlier_tests where lately > 0 or today >= $8::int`,
)

export type OwnTest = { trunkId: number; phone: number; cli: string; everyMs: number; aDay: number }

/** Requests a test call by the engine itself: no sooner than `everyMs` after the last one to the number, and at most `aDay` of them. */
export async function beginTest(
  db: Queryable,
  lease: Lease,
  { trunkId, phone, cli, everyMs, aDay }: OwnTest,
): Promise<TrunkTest | 'busy' | 'enough'> {
  const values = [...fenced(lease), trunkId, phone, cli, everyMs, aDay]
  const [test] = await run(db, beginTestStatement, values)
  if (!test) return 'busy'
  return test.id === null ? 'enough' : test
}

const reportTestStatement = statement(
  'report_test',
  `with ${leaseFence}, reports as (
  update trunk_test t set progress = $5::text, passed = $6::boolean, result = $7::text,
    ended_at = case when $7::text is null then null else clock_timestamp() end
  from lease where t.id = $4 and t.ended_at is null returning t.id, t.phone, t.ended_at
)
update number_use n set attempt_id = null from reports t where t.ended_at is not null and n.phone = t.phone and n.attempt_id = -t.id`,
)

/** Stores the progress of a test. With `result` it is over, and its number free. */
export async function reportTest(
  db: Queryable,
  lease: Lease,
  test: { id: number; progress: string | null; passed: boolean | null; result: string | null },
): Promise<void> {
  await run(db, reportTestStatement, [...fenced(lease), test.id, test.progress, test.passed, test.result])
}
