import type { Language } from '@ghanti/contract/templates.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'

type NoticeSound = { language: Language; hash: string; durationMs: number; text: string | null; changedAt: Date }

/** Nepali first. */
export async function sounds(db: Db): Promise<NoticeSound[]> {
  const { rows } = await sql<NoticeSound>`
    select language, file_hash as hash, duration_ms as "durationMs", said as text, changed_at as "changedAt"
      from recording_notice order by language desc`.execute(db)
  return rows
}

export async function lock(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('recording notice'))`.execute(tx)
}

export async function put(tx: Tx, sound: NoticeSound & { byUserId: number }): Promise<void> {
  const set = {
    file_hash: sound.hash,
    duration_ms: sound.durationMs,
    said: sound.text,
    changed_by: sound.byUserId,
    changed_at: sound.changedAt,
  }
  await tx
    .insertInto('recording_notice')
    .values({ language: sound.language, ...set })
    .onConflict((on) => on.column('language').doUpdateSet(set))
    .execute()
}
