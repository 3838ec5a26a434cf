import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { TrunkTest as TrunkTestTable } from '../../db/tables.ts'

/** `overdue`: no engine took it in time, or the one that did has gone. */
export type TrunkTest = Selectable<TrunkTestTable> & { overdue: boolean }

export async function holderOf(tx: Tx, dialerId: number): Promise<boolean> {
  const { rows } = await sql`
    select from dialer_lease where dialer_id = ${dialerId} and expires_at > now()`.execute(tx)
  return rows.length > 0
}

/** Why all dialling of the platform is stopped; undefined when it is not. */
export async function platformStop(tx: Tx): Promise<string | undefined> {
  const block = await tx
    .selectFrom('dial_block')
    .select('reason')
    .where('kind', '=', 'platform')
    .where('what', '<>', 'messages')
    .where('lifted_at', 'is', null)
    .executeTakeFirst()
  return block?.reason
}

export async function clisOfTrunk(tx: Tx, trunkId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('cli')
    .select('number')
    .where('trunk_id', '=', trunkId)
    .where('deleted_at', 'is', null)
    .where('is_group', '=', false)
    .orderBy('id')
    .execute()
  return rows.map(({ number }) => number)
}

/** Tests younger than two minutes, longer than any lasts. */
export async function isTesting(tx: Tx, trunkId: number): Promise<boolean> {
  const { rows } = await sql`
    select from trunk_test where trunk_id = ${trunkId} and ended_at is null
       and asked_at > now() - case when taken_at is null then interval '10 seconds' else interval '2 minutes' end`.execute(
    tx,
  )
  return rows.length > 0
}

export type NewTest = Pick<TrunkTest, 'trunk_id' | 'dialer_id' | 'kind' | 'phone' | 'cli' | 'by_user_id'>

export async function insertTest(tx: Tx, test: NewTest): Promise<number> {
  const { id } = await tx.insertInto('trunk_test').values(test).returning('id').executeTakeFirstOrThrow()
  return id
}

export function findTest(db: Db, id: number): Promise<TrunkTest | undefined> {
  return db
    .selectFrom('trunk_test')
    .selectAll()
    .select(
      sql<boolean>`ended_at is null
        and asked_at < now() - case when taken_at is null then interval '10 seconds' else interval '2 minutes' end`.as(
        'overdue',
      ),
    )
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Deletes tests after a month: they contain numbers that were called. */
export async function forgetOldTests(db: Db): Promise<void> {
  await db
    .deleteFrom('trunk_test')
    .where('asked_at', '<', sql<Date>`now() - interval '30 days'`)
    .execute()
}
