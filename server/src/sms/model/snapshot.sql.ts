import type { SmsDriver } from '../../db/tables.ts'
import { arraysOf, run, statement, type Queryable } from '../../dispatch/statement.ts'
import { fenced, leaseFence, type SmsLease } from './lease.sql.ts'

export type GatewayRow = {
  id: number
  name: string
  driver: SmsDriver
  settings: Record<string, unknown>
  secrets_sealed: string | null
  /** Enabled and not deleted. */
  enabled: boolean
  /** When its settings changed, in ms since 1970. */
  changed_ms: number
  /** According to the engine that holds it: messages can be sent and its circuit breaker is closed. */
  works: boolean
  /** Why it does not work; null when it does, or nothing was reported. */
  reason: string | null
}

/** Older reports of a gateway's state are ignored. */
const freshSeconds = 5

const gatewaysStatement = statement<GatewayRow>(
  'sms_gateways',
  `select g.id, g.name, g.driver, g.settings, g.secrets_sealed, g.enabled and g.deleted_at is null as enabled, (extract(epoch from g.changed_at) * 1000)::bigint as changed_ms,
  coalesce(s.bound and s.held_since is null and s.seen_at > now() - interval '${freshSeconds} seconds', false) as works,
  case when s.seen_at is null or s.seen_at < now() - interval '${freshSeconds} seconds' then null else coalesce(s.held_reason, case when not s.bound then s.last_error end) end as reason
from sms_gateway g left join sms_gateway_state s on s.gateway_id = g.id
where g.deleted_at is null or exists (select from sms_open o where o.gateway_id = g.id and o.unknown_at is null) order by g.id`,
)

/** Deleted gateways are included while they have messages in flight. */
export function loadGateways(db: Queryable): Promise<GatewayRow[]> {
  return run(db, gatewaysStatement, [])
}

export type RouteRow = {
  operators: number[]
  /** Null: every sender ID without a route of its own. */
  sender: string | null
  steps: { gateway_id: number; priority: number; weight: number }[]
}

const routesStatement = statement<RouteRow>(
  'sms_routes',
  `select r.operators, r.sender,
  coalesce((select json_agg(json_build_object('gateway_id', s.gateway_id, 'priority', s.priority, 'weight', s.weight) order by s.priority, s.gateway_id) from sms_route_step s where s.route_id = r.id), '[]') as steps
from sms_route r order by r.id`,
)

export function loadRoutes(db: Queryable): Promise<RouteRow[]> {
  return run(db, routesStatement, [])
}

export type SmsBlockRow = { kind: string; target_id: number | null; reason: string }

const blocksStatement = statement<SmsBlockRow>(
  'sms_blocks',
  `select kind, target_id, reason from dial_block where lifted_at is null and what <> 'calls' order by id`,
)

export function loadSmsBlocks(db: Queryable): Promise<SmsBlockRow[]> {
  return run(db, blocksStatement, [])
}

const settingsStatement = statement<{ key: string; value: unknown }>(
  'sms_settings',
  'select key, value from platform_setting where key = any ($1::text[])',
)

export async function loadSmsSettings(db: Queryable, keys: readonly string[]): Promise<Map<string, unknown>> {
  return new Map((await run(db, settingsStatement, [keys])).map(({ key, value }) => [key, value]))
}

export type GatewayNews = {
  bound: boolean
  windowUsed: number
  perSecond: number
  waiting: number
  opened: { since: Date; reason: string } | null
  /** Its breaker is open, or it was disconnected for too long: super admins get an alert. */
  down: { since: Date; reason: string } | null
  lastError: string | null
  lastErrorAt: Date | null
}

/** The last error stays until a newer one replaces it. A gateway disabled meanwhile is not down. */
const stateStatement = statement(
  'sms_keep_state',
  `with ${leaseFence}
insert into sms_gateway_state as s (gateway_id, bound, window_used, per_second, waiting, held_since, held_reason, last_error, last_error_at, down_since, down_reason)
select $1, $4::boolean, $5::int, $6::int, $7::int, $8::timestamptz, $9::text, $10::text, $11::timestamptz, case when g.id is not null then $12::timestamptz end, case when g.id is not null then $13::text end
from lease left join sms_gateway g on g.id = $1 and g.enabled and g.deleted_at is null
on conflict (gateway_id) do update set bound = excluded.bound, window_used = excluded.window_used, per_second = excluded.per_second, waiting = excluded.waiting,
  held_since = excluded.held_since, held_reason = excluded.held_reason, last_error = coalesce(excluded.last_error, s.last_error),
  last_error_at = coalesce(excluded.last_error_at, s.last_error_at), down_since = excluded.down_since, down_reason = excluded.down_reason, seen_at = now()`,
)

/** Stores a gateway's state for people and other engines. */
export async function keepGatewayState(db: Queryable, lease: SmsLease, news: GatewayNews): Promise<void> {
  const { bound, windowUsed, perSecond, waiting, opened, down, lastError, lastErrorAt } = news
  const values = [bound, windowUsed, perSecond, waiting, opened?.since ?? null, opened?.reason ?? null]
  const error = [lastError, lastError === null ? null : lastErrorAt]
  await run(db, stateStatement, [...fenced(lease), ...values, ...error, down?.since ?? null, down?.reason ?? null])
}

type StoredState = { held_since: Date | null; held_reason: string | null; down_since: Date | null }

const stateOfStatement = statement<StoredState>(
  'sms_gateway_state',
  'select held_since, held_reason, down_since from sms_gateway_state where gateway_id = $1',
)

/** The state that the previous engine stored: its open breaker, and since when it is down. */
export async function loadGatewayState(
  db: Queryable,
  gatewayId: number,
): Promise<{ opened: { since: Date; reason: string } | null; downSince: Date | null }> {
  const [{ held_since: since, held_reason: reason, down_since: downSince } = nobodys] = await run(
    db,
    stateOfStatement,
    [gatewayId],
  )
  return { opened: since && reason !== null ? { since, reason } : null, downSince }
}
const nobodys: StoredState = { held_since: null, held_reason: null, down_since: null }

export type GatewayTest = {
  id: number
  kind: 'ping' | 'message'
  phone: number | null
  sender: string | null
  text: string | null
}

/** Limits a flood of replies. */
const testsAtOnce = 50

const takeTestsStatement = statement<GatewayTest>(
  'sms_take_tests',
  `with ${leaseFence}
update sms_gateway_test t set taken_at = now() from lease
where t.id = any (array(select w.id from sms_gateway_test w where w.gateway_id = $1 and w.taken_at is null and case when w.inbox_id is null
    then w.asked_at > now() - interval '10 seconds'
    else w.asked_at > now() - interval '1 hour' and not exists (select from dial_block b where b.lifted_at is null and b.what <> 'calls' and (b.kind = 'platform' or b.kind = 'gateway' and b.target_id = $1)) end
  order by w.id limit ${testsAtOnce})) and t.taken_at is null
returning t.id, t.kind, t.phone, t.sender, t.text`,
)

/**
 * Taken before a byte leaves, so a test is never repeated. Older tests were reported as not taken. Replies to incoming messages wait an
 * hour for their gateway, and obey stops.
 */
export function takeTests(db: Queryable, lease: SmsLease): Promise<GatewayTest[]> {
  return run(db, takeTestsStatement, fenced(lease))
}

const testStatement = statement(
  'sms_end_test',
  `with early_receipts as (
  select e.state::text::sms_test_state as state, e.reason from sms_gateway_test t join sms_receipt_early e on e.gateway_id = t.gateway_id and e.id_key = any ($4)
  where t.id = $1 and $2::sms_test_state = 'submitted' limit 1
)
update sms_gateway_test set state = coalesce((select state from early_receipts), $2), reason = coalesce((select reason from early_receipts), $3), id_keys = $4,
  ended_at = case when $2::sms_test_state <> 'submitted' or exists (select from early_receipts) then now() end where id = $1`,
)

export type TestEnd = {
  state: 'submitted' | 'delivered' | 'failed' | 'expired' | 'unknown'
  reason: string | null
  idKeys: readonly string[]
}

/** The receipt may have arrived before the answer was stored. */
export async function endTest(db: Queryable, testId: number, { state, reason, idKeys }: TestEnd): Promise<void> {
  await run(db, testStatement, [testId, state, reason, idKeys])
}

const testReceiptStatement = statement(
  'sms_test_receipt',
  `update sms_gateway_test t set state = r.state::text::sms_test_state, reason = r.reason, ended_at = now()
from unnest($2::text[], $3::sms_receipt_state[], $4::text[]) as r (id_key, state, reason)
where t.gateway_id = $1 and t.state = 'submitted' and t.id_keys @> array[r.id_key]`,
)

/** Receipts that match no campaign may belong to a test. */
export async function takeTestReceipts(
  db: Queryable,
  gatewayId: number,
  receipts: readonly { idKey: string; state: string; reason: string | null }[],
): Promise<void> {
  if (receipts.length === 0) return
  const columns = arraysOf(receipts, 'idKey', 'state', 'reason')
  await run(db, testReceiptStatement, [gatewayId, ...columns])
}
