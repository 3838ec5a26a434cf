import { fenced, leaseFence, run, statement, type Lease, type Queryable } from '../../../dispatch/statement.ts'

const lostStatement = statement(
  'report_lost',
  `with ${leaseFence}, reports as (
  insert into campaign_event (campaign_id, from_status, to_status, reason)
  select c.id, c.status, c.status, t.text from lease, unnest($4::int[], $5::text[]) as t (id, text) join campaign c on c.id = t.id
  returning campaign_id, reason
)
insert into alert (kind, subject, detail) select 'calls_lost', 'campaign ' || campaign_id, reason from reports order by campaign_id`,
)

/** Records calls whose end nobody knows: in the campaign's history, and as an alert. */
export async function reportLost(db: Queryable, lease: Lease, texts: ReadonlyMap<number, string>): Promise<void> {
  if (texts.size > 0) await run(db, lostStatement, [...fenced(lease), [...texts.keys()], [...texts.values()]])
}
