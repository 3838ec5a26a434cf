import type { Logger } from 'pino'
import type { FilesDriver } from '../../../drivers/files/driver.ts'
import type { LostSound } from '../../../modules/speech/actions.ts'
import type { Proven } from '../../model/campaigns/claim.sql.ts'
import { byCursor, runByCursor } from '../../model/campaigns/streams.sql.ts'
import type { Plan, Sound } from '../../model/calls/plan.ts'
import { pageRows, type PrefetchedRow } from './prefetch.ts'
import { momentOfUs, run, statement, type Queryable } from '../../../dispatch/statement.ts'

type SoundRow = { file_hash: string; duration_ms: number; text: string }

const rowSoundsStatement = statement<SoundRow & { no: number }>(
  'row_sounds',
  `select r.no, s.file_hash, s.duration_ms, s.text
from contact_speech r cross join lateral unnest(r.sounds) with ordinality as u (id, at) join speech_sound s on s.id = u.id
where r.campaign_id = $1 and r.no = any ($2::int[]) order by r.no, u.at`,
)

export type SpokenSource = { pool: Queryable; files: FilesDriver; log: Logger }

/** The sounds of the values of each of these rows. Undefined: not available. */
export async function spokenOf(
  { pool, files, log }: SpokenSource,
  { campaignId, flow }: Plan,
  rows: readonly { no: number }[],
): Promise<(rowNo: number) => Sound[] | undefined> {
  const columns = flow.spoken.length
  if (columns === 0 || rows.length === 0) return () => []
  try {
    const sounds = await rowSounds(pool, files, campaignId, { columns, rowNos: rows.map(({ no }) => no) })
    return (rowNo) => sounds.get(rowNo)
  } catch (error) {
    log.error({ error, campaignId }, 'the values of rows could not be read')
    return () => undefined
  }
}

async function rowSounds(
  db: Queryable,
  files: FilesDriver,
  campaignId: number,
  { columns, rowNos }: { columns: number; rowNos: readonly number[] },
): Promise<Map<number, Sound[]>> {
  const sounds = new Map<number, Sound[]>()
  const rows = await run(db, rowSoundsStatement, [campaignId, rowNos])
  const media = await Promise.all(rows.map((row) => soundOf(files, row.file_hash, row)))
  for (const [index, { no }] of rows.entries()) {
    const one = media[index]
    if (one) sounds.set(no, [...(sounds.get(no) ?? []), one])
  }
  for (const [no, said] of sounds) if (said.length !== columns) sounds.delete(no)
  return sounds
}

async function soundOf(
  files: FilesDriver,
  hash: string,
  { duration_ms, text }: { duration_ms: number; text: string },
): Promise<Sound | null> {
  const path = await files.pathOf(hash).catch(() => null)
  return path === null ? null : { hash, path, durationMs: duration_ms, of: text }
}

type AheadRow = {
  fresh_to: number
  fresh_end: number
  /** Null: nothing is ahead. */
  no: number | null
  due_us: number | null
  id: number | null
  voice: string
  /** Null: the sound is not kept any more. */
  file_hash: string | null
  duration_ms: number
  text: string
}

/**
 * $1 campaign $2 rows of each kind. Where the page before ended: $3 fresh rows before this one $4 µs $5 no of the last row of the queue. $6 the stream,
 * where it has several.
 */
const aheadStatements = byCursor<AheadRow>(
  'rows_ahead',
  `with part as materialized (
  select greatest({cursor}.fresh_next, $3::int) as lo, least(greatest({cursor}.fresh_next, $3::int) + $2::int, {cursor}.fresh_end) as hi, {cursor}.fresh_end from campaign c{joined} where c.id = $1
), due as materialized (
  select r.due_at, r.no from contact_retry r where r.campaign_id = $1 and r.stream = {stream} and r.due_at <= now()
    and (r.due_at, r.no) > (${momentOfUs('$4')}, $5::int) order by r.due_at, r.no limit $2::int
), ahead as materialized (
  select due_at, no from due union all select null, generate_series(lo, hi - 1) from part
)
select p.hi as fresh_to, p.fresh_end, a.no, (extract(epoch from a.due_at) * 1000000)::bigint as due_us, u.id, s.voice, s.file_hash, s.duration_ms, s.text
from part p left join ahead a on true
  left join lateral unnest((select sounds from contact_speech r where r.campaign_id = $1 and r.no = a.no)) with ordinality u (id, at) on true left join speech_sound s on s.id = u.id
order by a.due_at, a.no, u.at`,
  '$6',
)

/** `lost`: the files of these sounds are lost. `missing`: how many sounds are not kept any more, or are unknown. */
export type RowRead = PrefetchedRow & { lost: LostSound[]; missing: number[] }

export async function rowsToPrefetch(
  { pool, files }: { pool: Queryable; files: FilesDriver },
  { campaignId, flow }: Plan,
  { stream, from: { freshTo, queueTo } }: { stream: number | null; from: Proven },
): Promise<{ rows: RowRead[]; freshTo: number; freshEnd: number }> {
  const values = [campaignId, pageRows, freshTo, queueTo.dueUs, queueTo.rowNo]
  const found = await runByCursor(pool, aheadStatements, values, stream)
  const sounds = await Promise.all(
    found.map((row) => (row.file_hash === null ? null : soundOf(files, row.file_hash, row))),
  )
  const rows: (RowRead & { sounds: Sound[] })[] = []
  for (const [index, { no, due_us, id, file_hash, voice, text, duration_ms }] of found.entries()) {
    if (no === null) continue
    const last = rows.at(-1)
    const row = last?.rowNo === no ? last : { rowNo: no, dueUs: due_us, sounds: [], lost: [], missing: [] }
    if (row !== last) rows.push(row)
    const sound = sounds[index]
    if (sound) row.sounds.push(sound)
    else if (file_hash !== null) row.lost.push({ voice, text, durationMs: duration_ms })
    else row.missing.push(id ?? -1)
  }
  for (const row of rows)
    if (row.sounds.length + row.lost.length + row.missing.length < flow.spoken.length) row.missing.push(-1)
  const [first] = found
  if (!first) throw new Error(`campaign ${campaignId} is gone`)
  return { rows, freshTo: first.fresh_to, freshEnd: first.fresh_end }
}

/** $1 campaign $2 from this row on $3 rows */
const keepStatement = statement<{ next: number | null; missing: number[] }>(
  'keep_sounds',
  `with part as materialized (
  select no, sounds from contact_speech where campaign_id = $1 and no >= $2::int order by no limit $3::int
), sounds_needed as materialized (
  select distinct unnest(sounds) as id from part
), extension as (
  update speech_sound s set needed_until = c.dial_until from sounds_needed n, campaign c where c.id = $1 and s.id = n.id and s.needed_until < c.dial_until
)
select (select max(no) + 1 from part having count(*) = $3::int) as next,
  array(select n.id from sounds_needed n where not exists (select from speech_sound s where s.id = n.id)) as missing`,
)

const keptAtOnce = 1000

/** Keeps the sounds of these rows as long as the campaign may dial. Returns where the next part begins, and which sounds are gone already. */
export async function keepSounds(
  db: Queryable,
  campaignId: number,
  from: number,
): Promise<{ next: number | null; missing: number[] }> {
  const [part] = await run(db, keepStatement, [campaignId, from, keptAtOnce])
  return part ?? { next: null, missing: [] }
}
