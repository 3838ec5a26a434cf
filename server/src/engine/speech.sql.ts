import type { Logger } from 'pino'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { Media } from '../drivers/telephony/driver.ts'
import type { LostSound } from '../modules/speech/actions.ts'
import type { Plan, Sound } from './plan.ts'
import { run, statement, type Queryable } from './statement.ts'

type SoundRow = { file_hash: string; duration_ms: number; text: string }

const rowSoundsStatement = statement<SoundRow & { no: number }>(
  'row_sounds',
  `select r.no, s.file_hash, s.duration_ms, s.text
from contact_speech r cross join lateral unnest(r.sounds) with ordinality as u (id, at) join speech_sound s on s.id = u.id
where r.campaign_id = $1 and r.no = any ($2::int[]) order by r.no, u.at`,
)

/** Answers what is said of each of these rows; undefined when that is not to be had. */
export async function spokenOf(
  { pool, files, log }: { pool: Queryable; files: FilesDriver; log: Logger },
  { campaignId, flow }: Plan,
  rows: readonly { no: number }[],
): Promise<(no: number) => Media[] | undefined> {
  const columns = flow.spoken.length
  if (columns === 0 || rows.length === 0) return () => []
  try {
    const sounds = await rowSounds(pool, files, campaignId, { columns, nos: rows.map(({ no }) => no) })
    return (no) => sounds.get(no)
  } catch (error) {
    log.error({ error, campaignId }, 'what rows say could not be read')
    return () => undefined
  }
}

async function rowSounds(
  db: Queryable,
  files: FilesDriver,
  campaignId: number,
  { columns, nos }: { columns: number; nos: readonly number[] },
): Promise<Map<number, Media[]>> {
  const sounds = new Map<number, Media[]>()
  const rows = await run(db, rowSoundsStatement, [campaignId, nos])
  const media = await Promise.all(rows.map((row) => soundOf(files, row)))
  for (const [index, { no }] of rows.entries()) {
    const one = media[index]
    if (one) sounds.set(no, [...(sounds.get(no) ?? []), one])
  }
  for (const [no, said] of sounds) if (said.length !== columns) sounds.delete(no)
  return sounds
}

async function soundOf(files: FilesDriver, row: SoundRow): Promise<Sound | null> {
  const path = await files.pathOf(row.file_hash).catch(() => null)
  return path === null ? null : { hash: row.file_hash, path, durationMs: row.duration_ms, of: row.text }
}

const campaignSoundsStatement = statement<SoundRow & { voice: string }>(
  'campaign_sounds',
  `select s.voice, s.file_hash, s.duration_ms, s.text
from (select distinct unnest(sounds) as id from contact_speech where campaign_id = $1) n join speech_sound s on s.id = n.id`,
)

/** Every sound that rows of the campaign may hear, and those whose file is lost. */
export async function campaignSounds(
  db: Queryable,
  files: FilesDriver,
  campaignId: number,
): Promise<{ sounds: Sound[]; lost: LostSound[] }> {
  const rows = await run(db, campaignSoundsStatement, [campaignId])
  const found = await Promise.all(rows.map((row) => soundOf(files, row)))
  const lost = rows.filter((_, index) => found[index] === null)
  return {
    sounds: found.filter((sound) => sound !== null),
    lost: lost.map(({ voice, text, duration_ms }) => ({ voice, text, durationMs: duration_ms })),
  }
}

const keepStatement = statement<{ gone: number }>(
  'keep_sounds',
  `with needed as materialized (select distinct unnest(sounds) as id from contact_speech where campaign_id = $1), kept as (
  update speech_sound s set needed_until = c.dial_until from needed n, campaign c where c.id = $1 and s.id = n.id and s.needed_until < c.dial_until
)
select count(*)::int as gone from needed n where not exists (select from speech_sound s where s.id = n.id)`,
)

/** As long as the campaign may dial. Answers how many are gone already. */
export async function keepSounds(db: Queryable, campaignId: number): Promise<number> {
  const [row] = await run(db, keepStatement, [campaignId])
  return row?.gone ?? 0
}
