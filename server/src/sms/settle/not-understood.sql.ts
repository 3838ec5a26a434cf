import { run, statement, type Queryable } from '../../dispatch/statement.ts'

const samplesMax = 10

const noteStatement = statement('sms_note_not_understood', 'select note_not_understood($1, $2, $3)')

/** Counts receipts that nobody could read, and keeps the last ten of a gateway for people to see. */
export async function noteNotUnderstood(db: Queryable, gatewayId: number, samples: readonly string[]): Promise<void> {
  await run(db, noteStatement, [gatewayId, samples.length, samples.slice(-samplesMax)])
}

/** How many receipts count as recent: between as many and twice as many. */
const recentMax = 1000

const judgeStatement = statement(
  'sms_judge_not_understood',
  `with receipts as (
  select u.gateway_id, u.receipts, u.recent, u.alerted, g.name, g.enabled and g.deleted_at is null as is_used,
    greatest(0, coalesce(c.receipts + c.repeated + c.unmatched, 0) - u.recent_from) as understood
  from sms_not_understood u
  join sms_gateway g on g.id = u.gateway_id
  left join sms_gateway_count c on c.gateway_id = u.gateway_id
), verdicts as materialized (
  select *, is_used and recent * 100 > recent + understood as is_bad, recent + understood > 2 * ${recentMax} as is_long
  from receipts
), periods as (
  update sms_not_understood u
     set recent = case when j.is_long then u.recent / 2 else u.recent end,
         recent_from = u.recent_from + case when j.is_long then j.understood - j.understood / 2 else 0 end,
         alerted = case when j.is_bad then j.receipts else u.alerted end
    from verdicts j
   where u.gateway_id = j.gateway_id and (j.is_long or j.is_bad and j.receipts > j.alerted)
), old_alert as (
  update alert a
     set cleared_at = now()
    from verdicts j
   where a.kind = 'receipts_unread' and a.subject = 'gateway ' || j.gateway_id and a.cleared_at is null and not j.is_bad
)
select raise_alert('receipts_unread', 'gateway ' || gateway_id,
  name || ': ' || recent || ' of its last ' || recent + understood || ' receipts could not be read')
from verdicts
where is_bad and receipts > alerted`,
)

/** Raises an alert about each gateway of whose recent receipts more than one in a hundred was not understood, and clears it once fewer are. */
export async function judgeNotUnderstood(db: Queryable): Promise<void> {
  await run(db, judgeStatement, [])
}
