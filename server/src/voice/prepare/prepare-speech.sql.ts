import type { Flow } from '@ghanti/callflow/flow.ts'
import type { PoolClient } from 'pg'
import { arrayText } from '../../dispatch/statement.ts'

/** The sound of a value of a column. `soundId` null: `why` it has none. */
export type ValueSound = { id: number; soundId: number | null; durationMs: number | null; why: string | null }

/** Creates a table of the file's distinct values by column, within the transaction that imports the rows. */
export async function listValues(client: PoolClient, flow: Flow): Promise<void> {
  await client.query(`create temp table contact_said (id int generated always as identity primary key, at int not null, value text not null,
      sound_id int, duration_ms int, why text) on commit drop;
    insert into contact_said (at, value) select distinct u.at - 1, u.value from contact_import i, unnest(i.spoken) with ordinality as u (value, at)
      where i.phone is not null and u.at <= ${flow.spoken.length};
    create unique index on contact_said (at, value); analyze contact_said`)
}

export async function valuesAfter(
  client: PoolClient,
  after: number,
  limit: number,
): Promise<{ id: number; at: number; value: string }[]> {
  const { rows } = await client.query<{ id: number; at: number; value: string }>(
    'select id, at, value from contact_said where id > $1 order by id limit $2',
    [after, limit],
  )
  return rows
}

export async function storeValueSounds(client: PoolClient, sounds: readonly ValueSound[]): Promise<void> {
  await client.query(
    `update contact_said s set sound_id = t.sound_id, duration_ms = t.duration_ms, why = t.why
    from unnest($1::int[], $2::int[], $3::int[], $4::text[]) as t (id, sound_id, duration_ms, why) where s.id = t.id`,
    [
      arrayText(sounds.map((one) => one.id)),
      arrayText(sounds.map((one) => one.soundId)),
      arrayText(sounds.map((one) => one.durationMs)),
      arrayText(sounds.map((one) => one.why)),
    ],
  )
}

/** Refuses rows with a value that has no sound, and moves up the other rows of their numbers. Returns how many it refused. */
export async function refuseUnspeakable(client: PoolClient, columns: readonly string[]): Promise<number> {
  const { rowCount } = await client.query(
    `update contact_import i set phone = null, turn = 0, reason = b.reason from (
      select distinct on (i.line) i.line, ($1::text[])[u.at] || ' ' || s.why as reason
      from contact_said s join contact_import i on i.phone is not null
        cross join lateral unnest(i.spoken) with ordinality as u (value, at)
      where s.why is not null and s.at = u.at - 1 and s.value = u.value order by i.line, u.at
    ) b where i.line = b.line`,
    [arrayText(columns)],
  )
  if (!rowCount) return 0
  await client.query(`update contact_import i set turn = n.turn from (
      select line, row_number() over (partition by phone order by turn) - 1 as turn from contact_import where phone is not null
    ) n where i.line = n.line and i.turn <> n.turn`)
  return rowCount
}

/** Stores the sounds of each row, and until when they are needed. Returns the longest sound of each column, in ms. */
export async function storeSpeech(client: PoolClient, campaignId: number, columns: number): Promise<number[]> {
  await client.query(
    `insert into contact_speech (campaign_id, no, sounds)
    select $1, n.no, array_agg(s.sound_id order by u.at) from contact_numbered n join contact_import i on i.line = n.line
      cross join lateral unnest(i.spoken) with ordinality as u (value, at) join contact_said s on s.at = u.at - 1 and s.value = u.value
    group by n.no order by n.no`,
    [campaignId],
  )
  await client.query(
    `update speech_sound s set needed_until = c.dial_until from campaign c
    where c.id = $1 and s.needed_until < c.dial_until and s.id = any (array(select sound_id from contact_said where sound_id is not null))`,
    [campaignId],
  )
  const { rows } = await client.query<{ at: number; ms: number }>(
    'select at, max(duration_ms) as ms from contact_said where sound_id is not null group by at',
  )
  const longest = new Map(rows.map(({ at, ms }) => [at, ms]))
  return Array.from({ length: columns }, (_, at) => longest.get(at) ?? 0)
}

/** The flow with the true lengths of its sounds, and what one of its calls may cost at most. */
export async function storeFlow(
  client: PoolClient,
  campaignId: number,
  { flow, reservePaisa }: { flow: Flow; reservePaisa: number },
): Promise<void> {
  await client.query('update campaign_detail set flow = $2 where campaign_id = $1', [campaignId, JSON.stringify(flow)])
  await client.query('update campaign set reserve_paisa = $2 where id = $1', [campaignId, reservePaisa])
}
