import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { SmsReceiptState } from '../../db/tables.ts'
import { earlyReceiptsMax } from './rules-callback.ts'

type FinalReceipt = { idKey: string; state: SmsReceiptState; reason: string | null; at: Date | null }

/** False when no waiting test has this message. */
export async function endTest(db: Db, gatewayId: number, { idKey, state, reason }: FinalReceipt): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sms_gateway_test')
    .set({ state, reason, ended_at: sql<Date>`now()` })
    .where('gateway_id', '=', gatewayId)
    .where('state', '=', 'submitted')
    .where(sql<boolean>`id_keys @> array[${idKey}::text]`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The engine applies it within a second, or counts it as unmatched. False when too many are waiting. */
export async function keepReceipt(db: Db, gatewayId: number, receipt: FinalReceipt): Promise<boolean> {
  const { idKey, state, reason, at } = receipt
  const { rows } = await sql<{ has_room: boolean }>`with room as materialized (
    select count(*) < ${earlyReceiptsMax} as has_room
    from (select from sms_receipt_early where gateway_id = ${gatewayId} limit ${earlyReceiptsMax}) kept
  ), kept as (
    insert into sms_receipt_early (gateway_id, id_key, state, reason, at)
    select ${gatewayId}, ${idKey}, ${state}::sms_receipt_state, ${reason}::text, ${at}::timestamptz from room where has_room
    on conflict do nothing
  ) select has_room from room`.execute(db)
  return rows[0]?.has_room ?? false
}

export async function countUnmatched(db: Db, gatewayId: number): Promise<void> {
  await db
    .insertInto('sms_gateway_count')
    .values({ gateway_id: gatewayId, unmatched: 1 })
    .onConflict((on) => on.column('gateway_id').doUpdateSet({ unmatched: sql`sms_gateway_count.unmatched + 1` }))
    .execute()
}
