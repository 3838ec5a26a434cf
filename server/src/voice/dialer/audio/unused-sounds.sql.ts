import { run, statement, type Queryable } from '../../../dispatch/statement.ts'

const unusedStatement = statement<{ hash: string }>(
  'unused_sounds',
  `with campaigns as materialized (
  select distinct jsonb_path_query(d.flow, '$.**.hash') #>> '{}' as hash from campaign c join campaign_detail d on d.campaign_id = c.id
  where c.status not in ('complete', 'cancelled', 'refused', 'failed')
)
select t.hash from unnest($1::text[]) as t (hash)
where not exists (select from prompt where wav_hash = t.hash and deleted_at is null)
  and not exists (select from speech_sound where file_hash = t.hash)
  and not exists (select from voice_pack_word where wav_hash = t.hash)
  and not exists (select from voice_pack_word where pending_hash = t.hash)
  and not exists (select from recording_notice where file_hash = t.hash)
  and not exists (select from campaigns p where p.hash = t.hash)`,
)

/** Those of these sounds that no prompt, spoken value, word of a voice, notice before recordings or campaign that may still call uses. */
export async function unusedSounds(db: Queryable, hashes: readonly string[]): Promise<string[]> {
  const rows = await run(db, unusedStatement, [hashes])
  return rows.map(({ hash }) => hash)
}
