import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { readPage } from '../../db/lists/list.ts'
import type { TrunkDisposition as DispositionTable } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'

export type TrunkDisposition = Selectable<DispositionTable>

const keys = { dispositionId: sql.ref('trunk_disposition.id') }

export function listDispositions(db: Db, trunkId: number, query: ListQuery): Promise<Page<TrunkDisposition>> {
  const rows = db.selectFrom('trunk_disposition').selectAll().where('trunk_id', '=', trunkId)
  return readPage(db, rows, query, { keys, id: sql.ref('trunk_disposition.id'), fallback: 'dispositionId' })
}

export async function insertDisposition(tx: Tx, row: Insertable<DispositionTable>): Promise<number> {
  const { id } = await tx.insertInto('trunk_disposition').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Returns it with its trunk's number; undefined when its trunk is deleted. */
export function deleteDisposition(tx: Tx, id: number): Promise<TrunkDisposition | undefined> {
  return tx
    .deleteFrom('trunk_disposition')
    .where('id', '=', id)
    .where('trunk_id', 'in', (trunks) => trunks.selectFrom('trunk').select('id').where('deleted_at', 'is', null))
    .returningAll()
    .executeTakeFirst()
}

export function hasCode(
  tx: Tx,
  trunkId: number,
  code: { sipStatus: number | undefined; q850Cause: number | undefined },
): Promise<boolean> {
  return tx
    .selectFrom('trunk_disposition')
    .select('id')
    .where('trunk_id', '=', trunkId)
    .where('sip_status', 'is not distinct from', code.sipStatus ?? null)
    .where('q850_cause', 'is not distinct from', code.q850Cause ?? null)
    .executeTakeFirst()
    .then((row) => row !== undefined)
}
