import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

/** The demo's dialer and gateway. */
export async function onlyLines(db: Db): Promise<{ dialerId: number; gatewayId: number }> {
  const dialer = await db.selectFrom('dialer').select('id').orderBy('id').executeTakeFirstOrThrow()
  const gateway = await db.selectFrom('sms_gateway').select('id').orderBy('id').executeTakeFirstOrThrow()
  return { dialerId: dialer.id, gatewayId: gateway.id }
}

/** As if nobody had ever had them, so that the first engine need not wait. */
export async function endLeases(db: Db, engineId: string): Promise<void> {
  await db.deleteFrom('dialer_lease').where('engine_id', '=', engineId).execute()
  await db.deleteFrom('sms_lease').where('engine_id', '=', engineId).execute()
}

/** The super admin has pinged the trunk. */
export async function insertTrunkTest(tx: Tx, byUserId: number, result: string): Promise<void> {
  await sql`
    insert into trunk_test (trunk_id, dialer_id, kind, by_user_id, asked_at, taken_at, ended_at, passed, result)
    select id, dialer_id, 'ping', ${byUserId}, created_at, created_at, created_at, true, ${result} from trunk`.execute(
    tx,
  )
}
