import { sql } from 'kysely'
import type { Db } from '../db.ts'

export const partitionRows = 10_000_000
const ahead = 2

/** The partitioned tables, by the names that people use, with the sequence of their ids. */
export const partitioned = {
  calls: { parent: 'attempt', ids: 'attempt_open_id_seq' },
  messages: { parent: 'sms_sent', ids: 'sms_open_id_seq' },
  transfers: { parent: 'transfer', ids: 'transfer_id' },
} as const

/** Attempts, sent messages and transfers are partitioned by id. Keeps two empty partitions after the ones in use; attaching one blocks no insert. */
export async function makePartitions(db: Db): Promise<void> {
  await sql`
    select make_partitions('attempt', (select last_value from attempt_open_id_seq), ${partitionRows}, ${ahead}),
           make_partitions('sms_sent', (select last_value from sms_open_id_seq), ${partitionRows}, ${ahead}),
           make_partitions('transfer', (select last_value from transfer_id), ${partitionRows}, ${ahead})`.execute(db)
}

/** Gives calls and messages of a new month their own partition: their ids jump to its beginning. `month`: its first day in Nepal. */
export async function beginMonth(db: Db, month: string): Promise<void> {
  for (const { parent, ids } of [partitioned.calls, partitioned.messages])
    await sql`select begin_month(${parent}, ${ids}::regclass, ${month}::date, ${partitionRows})`.execute(db)
}

/** Tables without a partition after the one in use, with the id from which on nothing can be stored. */
export async function missingPartitions(db: Db): Promise<{ what: string; endsAt: number }[]> {
  const missing = []
  for (const [what, { parent, ids }] of Object.entries(partitioned)) {
    const { rows } = await sql<{ ends_at: number; missing: boolean }>`
      select (last_value / ${partitionRows}::bigint + 1) * ${partitionRows}::bigint as ends_at,
        to_regclass(${parent} || '_' || (last_value / ${partitionRows}::bigint + 1)) is null as missing from ${sql.table(ids)}`.execute(
      db,
    )
    for (const row of rows) if (row.missing) missing.push({ what, endsAt: row.ends_at })
  }
  return missing
}
