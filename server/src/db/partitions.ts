import { sql } from 'kysely'
import type { Db } from './db.ts'

const partitionRows = 10_000_000
const ahead = 2

/** Attempts, messages sent and transfers are partitioned by id: keeps two empty partitions after the ones in use. Attaching blocks no insert. */
export async function makePartitions(db: Db): Promise<void> {
  await sql`
    select make_partitions('attempt', (select last_value from attempt_open_id_seq), ${partitionRows}, ${ahead}),
           make_partitions('sms_sent', (select last_value from sms_open_id_seq), ${partitionRows}, ${ahead}),
           make_partitions('transfer', (select last_value from transfer_id), ${partitionRows}, ${ahead})`.execute(db)
}
