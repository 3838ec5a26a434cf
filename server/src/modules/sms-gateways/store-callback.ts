import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { SmsReceiptState } from '../../db/tables.ts'
import { earlyReceiptsMax } from './rules-callback.ts'

export type FinalReceipt = { idKey: string; state: SmsReceiptState; reason: string | null; at: Date | null }

/** Of a batch, the first of each message. */
const reported = (receipts: readonly FinalReceipt[]) => sql`
    select distinct on (id_key) id_key, state, reason, at
    from unnest(${receipts.map(({ idKey }) => idKey)}::text[], ${receipts.map(({ state }) => state)}::sms_receipt_state[],
      ${receipts.map(({ reason }) => reason)}::text[], ${receipts.map(({ at }) => at)}::timestamptz[])
      with ordinality as t (id_key, state, reason, at, n)
    order by id_key, n`

/** Ends the waiting tests that have these messages. Returns the keys of these. */
export async function endTests(db: Db, gatewayId: number, receipts: readonly FinalReceipt[]): Promise<Set<string>> {
  const { rows } = await sql<{ id_key: string }>`with reported as (${reported(receipts)})
    update sms_gateway_test t
       set state = r.state::text::sms_test_state, reason = r.reason, ended_at = now()
      from reported r
     where t.gateway_id = ${gatewayId} and t.state = 'submitted' and t.id_keys @> array[r.id_key]
    returning r.id_key`.execute(db)
  return new Set(rows.map((row) => row.id_key))
}

/** The engine applies them within a second, or counts them as unmatched. False when too many are waiting. */
export async function keepReceipts(db: Db, gatewayId: number, receipts: readonly FinalReceipt[]): Promise<boolean> {
  const { rows } = await sql<{ has_room: boolean }>`with reported as materialized (${reported(receipts)}
  ), room as materialized (
    select ${earlyReceiptsMax} - count(*) as left
    from (select from sms_receipt_early where gateway_id = ${gatewayId} limit ${earlyReceiptsMax}) kept
  ), kept as (
    insert into sms_receipt_early (gateway_id, id_key, state, reason, at)
    select ${gatewayId}, id_key, state, reason, at from reported order by id_key limit (select room.left from room)
    on conflict do nothing
  ) select room.left >= (select count(*) from reported) as has_room from room`.execute(db)
  return rows[0]?.has_room ?? false
}

/** How many samples are kept of what a gateway sent and nobody could read; all are counted. */
export const samplesMax = 10

export async function noteNotUnderstood(
  db: Db,
  gatewayId: number,
  count: number,
  samples: readonly string[],
): Promise<void> {
  await sql`select note_not_understood(${gatewayId}, ${count}, ${[...samples]}::text[])`.execute(db)
}
