import type { Db, Tx } from '../../db/db.ts'

const batch = 100

type NewFile = { ownerId: number; fileHash: string; sizeBytes: number; declaredType: string; at: Date }

export async function insert(tx: Tx, { ownerId, fileHash, sizeBytes, declaredType, at }: NewFile): Promise<string> {
  const { name } = await tx
    .insertInto('sms_staged_file')
    .values({
      owner_id: ownerId,
      file_hash: fileHash,
      size_bytes: sizeBytes,
      declared_type: declaredType,
      created_at: at,
    })
    .returning('name')
    .executeTakeFirstOrThrow()
  return name
}

const staged = (db: Db) => db.selectFrom('sms_staged_file').select(['name', 'file_hash', 'size_bytes', 'declared_type'])
export type Staged = NonNullable<Awaited<ReturnType<typeof find>>>

export function find(db: Db, ownerId: number, name: string | undefined, since: Date) {
  return staged(db)
    .where('owner_id', '=', ownerId)
    .where('created_at', '>=', since)
    .$if(name !== undefined, (files) => files.where('name', '=', name ?? ''))
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

export function allButNewest(db: Db, ownerId: number, kept: number): Promise<Staged[]> {
  return staged(db).where('owner_id', '=', ownerId).orderBy('created_at', 'desc').offset(kept).execute()
}

export function olderThan(db: Db, since: Date): Promise<Staged[]> {
  return staged(db).where('created_at', '<', since).limit(batch).execute()
}

export async function remove(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('sms_staged_file').where('name', '=', name).execute()
}
