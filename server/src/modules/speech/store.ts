import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { blockBytes } from '../quotas/rules.ts'

export type StoredSound = { id: number; text: string; hash: string; durationMs: number }

/** As `wavBytesOf` (modules/quotas) has it. */
const wavBytes = sql`greatest(44 + duration_ms::bigint * 16, ${blockBytes}::int)`

const columns = ['id', 'text', 'file_hash as hash', 'duration_ms as durationMs'] as const

/** Existing sounds of these texts in this voice. They are kept for at least a day. */
export async function soundsOf(db: Db, voice: string, texts: readonly string[]): Promise<StoredSound[]> {
  if (texts.length === 0) return []
  const sounds = await db
    .selectFrom('speech_sound')
    .select([...columns, sql<boolean>`needed_until < now() + interval '12 hours'`.as('goesSoon')])
    .where('voice', '=', voice)
    .where('text', '=', sql<string>`any (${texts}::text[])`)
    .execute()
  const going = sounds.filter((sound) => sound.goesSoon).map((sound) => sound.id)
  if (going.length > 0)
    await db
      .updateTable('speech_sound')
      .set({ needed_until: sql`now() + interval '1 day'` })
      .where('id', '=', sql<number>`any (${going}::int[])`)
      .execute()
  return sounds.map(({ id, text, hash, durationMs }) => ({ id, text, hash, durationMs }))
}

/** The voices that a campaign's rows were prepared with, in the order of its spoken columns; empty before preparation or once deleted. */
export async function voicesOfCampaign(db: Db, campaignId: number): Promise<string[]> {
  const { rows } = await sql<{ voice: string | null }>`
    select s.voice from (select sounds from contact_speech where campaign_id = ${campaignId} order by no limit 1) r
      cross join lateral unnest(r.sounds) with ordinality as u (id, at) left join speech_sound s on s.id = u.id order by u.at`.execute(
    db,
  )
  return rows.flatMap(({ voice }) => voice ?? [])
}

/** Locks those of these texts that nobody else is making in this voice, until the transaction ends. */
export async function lockTexts(tx: Tx, voice: string, texts: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ text: string }>`
    select t.text from unnest(${texts}::text[]) as t (text)
    where pg_try_advisory_xact_lock(hashtextextended(${`speech ${voice} `} || t.text, 0))`.execute(tx)
  return new Set(rows.map((row) => row.text))
}

type Made = { voice: string; ownerId: number | null; sounds: readonly Omit<StoredSound, 'id'>[] }

/** A sound that lost its file gets the new one, and stays that of the account that it was first made for. */
export async function insert(tx: Tx, { voice, ownerId, sounds }: Made): Promise<void> {
  if (sounds.length === 0) return
  const common = { voice, made_for: ownerId }
  await tx
    .insertInto('speech_sound')
    .values(sounds.map(({ text, hash, durationMs }) => ({ ...common, text, file_hash: hash, duration_ms: durationMs })))
    .onConflict((same) =>
      same.columns(['voice', 'text']).doUpdateSet((row) => ({
        file_hash: row.ref('excluded.file_hash'),
        duration_ms: row.ref('excluded.duration_ms'),
      })),
    )
    .execute()
}

/** How many bytes the sounds that were made for an account take. */
export async function bytesMadeFor(db: Db, ownerId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(${wavBytes}), 0)::bigint as bytes from speech_sound where made_for = ${ownerId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

type Old = { before: Date; limit: number; ownerId?: number }

export function notNeededSince(db: Db, { before, limit, ownerId }: Old): Promise<{ id: number; hash: string }[]> {
  return db
    .selectFrom('speech_sound')
    .select(['id', 'file_hash as hash'])
    .where('needed_until', '<', before)
    .$if(ownerId !== undefined, (query) => query.where('made_for', '=', ownerId ?? null))
    .orderBy('needed_until')
    .limit(limit)
    .execute()
}

/** False when somebody needs it again. */
export async function remove(tx: Tx, id: number, before: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('speech_sound')
    .where('id', '=', id)
    .where('needed_until', '<', before)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function keepOfCampaign(tx: Tx, campaignId: number): Promise<void> {
  await sql`
    update speech_sound s set needed_until = c.dial_until
      from campaign c, (select distinct unnest(sounds) as id from contact_speech where campaign_id = ${campaignId}) needed
     where c.id = ${campaignId} and s.id = needed.id and s.needed_until < c.dial_until`.execute(tx)
}
