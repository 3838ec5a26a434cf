import { dialersWithDue } from './dialer/audio/recordings.sql.ts'
import { dialersWithCampaigns } from './model/campaigns/snapshot.sql.ts'
import { run, statement, type Queryable } from '../dispatch/statement.ts'
import { dialersWithTests } from './dialer/trunks/test-calls/trunk-tests.sql.ts'

/** `waiting`: it has campaigns, which all wait for something outside. `lines`: no dialer's; it says that all settings together are `version`. */
type Due = { what: 'active' | 'waiting' | 'tests' | 'recordings' | 'lines'; dialer_id: number; version: string | null }

/** Another one after a row was written, added or deleted. These tables have a row or a few for each trunk. */
const versionOf = (table: string, id = 'id'): string =>
  `(select coalesce(sum(hashint8extended(xmin::text::bigint, ${id})), 0) from ${table})`

const dueStatement = statement<Due>(
  'due_dialers',
  `select case when is_active then 'active' else 'waiting' end as what, dialer_id, null as version from (${dialersWithCampaigns}) c
union all select 'tests', dialer_id, null from (${dialersWithTests}) t
union all select 'recordings', dialer_id, null from (${dialersWithDue}) r
union all select 'lines', 0, (${['dialer', 'trunk', 'trunk_disposition', 'operator_contract'].map((table) => versionOf(table)).join(' + ')} + ${versionOf('trunk_health', 'trunk_id')})::text`,
)

/** Which dialers have something to do, asked of all at once. */
export function dueDialers(db: Queryable): Promise<Due[]> {
  return run(db, dueStatement, [])
}
