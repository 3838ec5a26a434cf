import { dialersWithDue } from '../audio/recordings.sql.ts'
import { activeDialers } from '../schedule/snapshot/snapshot.sql.ts'
import { run, statement, type Queryable } from '../statement.ts'
import { dialersWithTests } from '../trunks/test-calls/trunk-tests.sql.ts'

type Due = { what: 'campaigns' | 'tests' | 'recordings'; dialer_id: number }

const dueStatement = statement<Due>(
  'due_dialers',
  `select 'campaigns' as what, dialer_id from (${activeDialers}) c
union all select 'tests', dialer_id from (${dialersWithTests}) t
union all select 'recordings', dialer_id from (${dialersWithDue}) r`,
)

/** Which dialers have something to do, asked of all at once. */
export function dueDialers(db: Queryable): Promise<Due[]> {
  return run(db, dueStatement, [])
}
