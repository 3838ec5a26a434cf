import type { ListQuery } from '@ghanti/contract/route.ts'
import type { Language } from '@ghanti/contract/templates.ts'
import { sql, type Selectable } from 'kysely'
import { containing, readPage } from '../../db/lists/list.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { VoicePack, VoicePackWord } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'

type PackTable = Omit<Selectable<VoicePack>, 'language'> & { language: Language }
export type Pack = PackTable & { username: string | null; approved: number; pending: number }
export type Recorded = Selectable<VoicePackWord>

const keys = {
  packId: sql.ref('voice_pack.id'),
  name: sql`lower(voice_pack.name)`,
  language: sql.ref('voice_pack.language'),
  username: sql`coalesce(lower(users.username), '')`,
}

const countOf = (column: 'wav_hash' | 'pending_hash') =>
  sql<number>`(select count(${sql.ref(column)})::int from voice_pack_word where pack_id = voice_pack.id)`

function packs(db: Db, scope: Scope) {
  return db
    .selectFrom('voice_pack')
    .leftJoin('users', 'users.id', 'voice_pack.owner_id')
    .selectAll('voice_pack')
    .select(sql<Language>`voice_pack.language`.as('language'))
    .select('users.username')
    .select([countOf('wav_hash').as('approved'), countOf('pending_hash').as('pending')])
    .where(within(scope, 'voice_pack.owner_id'))
}

export type PackFilter = { waiting: boolean; language: Language | undefined }

export function list(db: Db, scope: Scope, filter: PackFilter, query: ListQuery): Promise<Page<Pack>> {
  let rows = packs(db, scope)
  if (filter.language) rows = rows.where('voice_pack.language', '=', filter.language)
  if (filter.waiting)
    rows = rows.where(
      sql<boolean>`exists (select from voice_pack_word where pack_id = voice_pack.id and pending_hash is not null)`,
    )
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(sql<boolean>`(lower(voice_pack.name) like ${pattern} or lower(users.username) like ${pattern})`)
  }
  return readPage(db, rows, query, { keys, id: sql.ref('voice_pack.id'), fallback: '-packId' })
}

export function find(db: Db, scope: Scope, packId: number): Promise<Pack | undefined> {
  return packs(db, scope).where('voice_pack.id', '=', packId).executeTakeFirst()
}

export async function nameOf(db: Db, packId: number): Promise<string | null> {
  const pack = await db.selectFrom('voice_pack').select('name').where('id', '=', packId).executeTakeFirst()
  return pack?.name ?? null
}

export async function hold(tx: Tx, packId: number): Promise<void> {
  await tx.selectFrom('voice_pack').select('id').where('id', '=', packId).forUpdate().execute()
}

export function recorded(db: Db, packId: number): Promise<Recorded[]> {
  return db.selectFrom('voice_pack_word').selectAll().where('pack_id', '=', packId).orderBy('key').execute()
}

export function recordedWord(db: Db, packId: number, key: string): Promise<Recorded | undefined> {
  return db
    .selectFrom('voice_pack_word')
    .selectAll()
    .where('pack_id', '=', packId)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** The new id; 'taken' when the owner has a pack of that name, 'full' when the owner has the maximum number. */
export async function insert(
  tx: Tx,
  pack: { ownerId: number | null; name: string; language: Language; max: number },
): Promise<number | 'taken' | 'full'> {
  const of = `voice packs of ${pack.ownerId ?? 'the platform'}`
  await sql`select pg_advisory_xact_lock(hashtext(${of}))`.execute(tx)
  const { count } = await tx
    .selectFrom('voice_pack')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', 'is not distinct from', pack.ownerId)
    .executeTakeFirstOrThrow()
  if (count >= pack.max) return 'full'
  const inserted = await tx
    .insertInto('voice_pack')
    .values({ owner_id: pack.ownerId, name: pack.name, language: pack.language })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id ?? 'taken'
}

export type NewRecording = { key: string; hash: string; durationMs: number }

/** Recordings of these words that wait for a decision, which new ones replace. */
export async function waitingOf(
  tx: Tx,
  packId: number,
  keys: readonly string[],
): Promise<{ hash: string; ms: number }[]> {
  const words = await tx
    .selectFrom('voice_pack_word')
    .select(['pending_hash', 'pending_ms'])
    .where('pack_id', '=', packId)
    .where('key', '=', sql<string>`any (${keys}::text[])`)
    .execute()
  return words.flatMap(({ pending_hash: hash, pending_ms: ms }) => (hash === null || ms === null ? [] : [{ hash, ms }]))
}

/** Every file that the pack's words name. */
export async function filesOf(tx: Tx, packId: number): Promise<string[]> {
  const words = await recorded(tx, packId)
  return words.flatMap(({ wav_hash, pending_hash }) => [wav_hash, pending_hash]).filter((hash) => hash !== null)
}

/** Each waits for a decision, unless the same bytes are approved already. */
export async function putWords(tx: Tx, packId: number, words: readonly NewRecording[]): Promise<void> {
  const values = words.map((word) => ({
    pack_id: packId,
    key: word.key,
    pending_hash: word.hash,
    pending_ms: word.durationMs,
  }))
  await tx
    .insertInto('voice_pack_word')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['pack_id', 'key']).doUpdateSet({
        pending_hash: sql`nullif(excluded.pending_hash, voice_pack_word.wav_hash)`,
        pending_ms: sql`case when excluded.pending_hash is distinct from voice_pack_word.wav_hash then excluded.pending_ms end`,
      }),
    )
    .execute()
  await bump(tx, packId, 'change_no')
}

async function bump(tx: Tx, packId: number, ...columns: ('change_no' | 'revision')[]): Promise<void> {
  const set = Object.fromEntries(columns.map((column) => [column, sql<number>`${sql.ref(column)} + 1`]))
  await tx.updateTable('voice_pack').set(set).where('id', '=', packId).execute()
}

export async function deleteWord(tx: Tx, packId: number, key: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('voice_pack_word')
    .where('pack_id', '=', packId)
    .where('key', '=', key)
    .returning('wav_hash')
    .executeTakeFirst()
  if (!gone) return false
  await bump(tx, packId, 'change_no', ...(gone.wav_hash === null ? [] : (['revision'] as const)))
  return true
}

export async function deletePack(tx: Tx, packId: number): Promise<void> {
  await tx.deleteFrom('voice_pack').where('id', '=', packId).execute()
}

export type Decision = { packId: number; approved: boolean; reason: string | null; byUserId: number; at: Date }

/** Approval replaces the word that is heard; rejection discards the recording. */
export async function decide(tx: Tx, { packId, approved, reason, byUserId, at }: Decision): Promise<void> {
  const waiting = tx
    .updateTable('voice_pack_word')
    .where('pack_id', '=', packId)
    .where('pending_hash', 'is not', null)
    .set({ pending_hash: null, pending_ms: null })
  if (approved) {
    await waiting.set({ wav_hash: sql`pending_hash`, duration_ms: sql`pending_ms` }).execute()
    await bump(tx, packId, 'change_no', 'revision')
  } else {
    await tx.deleteFrom('voice_pack_word').where('pack_id', '=', packId).where('wav_hash', 'is', null).execute()
    await waiting.execute()
    await bump(tx, packId, 'change_no')
  }
  await tx
    .updateTable('voice_pack')
    .set({ reject_reason: reason, decided_by: byUserId, decided_at: at })
    .where('id', '=', packId)
    .execute()
}

export type Candidate = { packId: number; name: string; revision: number; keys: string[] }

/** The owner's packs, those of accounts above and the platform's, with the approved words: nearest first, then oldest. */
export async function candidates(db: Db, ownerId: number, language: Language): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select voice_pack.id as "packId", voice_pack.name, revision, array_agg(key) as keys
      from users
      join voice_pack on voice_pack.owner_id = any (users.path) or voice_pack.owner_id is null
      join voice_pack_word on pack_id = voice_pack.id and wav_hash is not null
     where users.id = ${ownerId} and voice_pack.language = ${language}
     group by voice_pack.id, users.path
     order by array_position(users.path, voice_pack.owner_id) desc nulls last, voice_pack.id`.execute(db)
  return rows
}

export type ApprovedWord = { language: Language; key: string; hash: string }

/** The approved words of a pack at this revision; none when the revision differs. */
export async function approvedWords(db: Db, packId: number, revision: number): Promise<ApprovedWord[]> {
  return await db
    .selectFrom('voice_pack')
    .innerJoin('voice_pack_word', 'voice_pack_word.pack_id', 'voice_pack.id')
    .select(['key', 'wav_hash as hash'])
    .select(sql<Language>`language`.as('language'))
    .where('voice_pack.id', '=', packId)
    .where('revision', '=', revision)
    .where('wav_hash', 'is not', null)
    .$narrowType<{ hash: string }>()
    .execute()
}
