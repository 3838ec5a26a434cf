import { sql } from 'kysely'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Tx } from '../../db/db.ts'

/**
 * Stages a file's rows: a phone, or the text and reason of a refused line. The table belongs to the session and is created before the
 * transaction.
 */
export async function openStage(client: PoolClient) {
  await client.query('create temp table blacklist_stage (line int, phone bigint, text text, reason text)')
  return client.query(copyFrom('copy blacklist_stage from stdin'))
}

export type NewUpload = {
  ownerId: number
  byUserId: number
  fileName: string
  rows: number
  invalid: number
  /** All that were found, also those that are on the list already. */
  numbers: number
}

/** How many staged numbers are not on the owner's list; takes no lock. */
export async function newNumbers(tx: Tx, ownerId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct phone)::int as n from blacklist_stage s where phone is not null
      and not exists (select from blacklist b where b.phone = s.phone and b.owner_id = ${ownerId}::int)`.execute(tx)
  return rows[0]?.n ?? 0
}

/** Adds the staged numbers in sorted order, which indexes take several times as fast. Returns how many were new. */
export async function storeNumbers(tx: Tx, ownerId: number): Promise<number> {
  await sql`set local work_mem = '64MB'`.execute(tx)
  const stored = await sql`
    insert into blacklist (phone, owner_id)
    select distinct phone, ${ownerId}::int from blacklist_stage where phone is not null order by phone
    on conflict (phone, owner_id) do nothing`.execute(tx)
  return Number(stored.numAffectedRows ?? 0)
}

export async function storeUpload(tx: Tx, upload: NewUpload, accepted: number): Promise<number> {
  const { id } = await tx
    .insertInto('blacklist_upload')
    .values({
      owner_id: upload.ownerId,
      by_user_id: upload.byUserId,
      file_name: upload.fileName,
      rows: upload.rows,
      accepted,
      duplicate: upload.numbers - accepted,
      invalid: upload.invalid,
      numbers: upload.numbers,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (upload.invalid > 0)
    await sql`insert into blacklist_refused (upload_id, line, text, reason)
      select ${id}::int, line, text, reason from blacklist_stage where phone is null order by line limit ${refusedKeptMax}`.execute(
      tx,
    )
  return id
}
