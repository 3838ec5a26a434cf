/** Keys and hang-ups by day, from answer_count (server/schema/15_counts.sql): one row for each key of a kind. */
import { keypad, type CallDimension } from '@ghanti/contract/insight.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/db.ts'
import type { CountKind } from '../../db/tables.ts'
import type { Days } from './rules.ts'
import { answerSums, keySums, type AnswerSums } from './rules-figures.ts'
import { sumsOf, type CallsAsked } from './store.ts'

/** The kind and keys of the counters that a request needs. Null: it combines two filters that are not kept together. */
export function answersKept({ operators, trunkId, template, campaignId }: CallsAsked): {
  kind: CountKind
  keys: number[]
} | null {
  const narrowed = [
    operators && { kind: 'operator' as const, keys: operators },
    trunkId !== undefined && { kind: 'trunk' as const, keys: [trunkId] },
    template !== undefined && { kind: 'template' as const, keys: [template] },
    campaignId !== undefined && { kind: 'campaign' as const, keys: [campaignId] },
  ].filter((one) => one !== undefined && one !== false)
  if (narrowed.length > 1) return null
  return narrowed[0] ?? { kind: 'all', keys: [0] }
}

/**
 * The names of keys that all campaigns whose calls pressed them on these days gave them alike. A key that one of them gave another name, or none,
 * has none here. `template`, `campaignId`: of these alone.
 */
export async function sharedKeyNames(
  db: Db,
  accountId: number,
  days: Days,
  { template, campaignId }: Pick<CallsAsked, 'template' | 'campaignId'>,
): Promise<{ key: string; label: string }[]> {
  const ofTemplate = template === undefined ? sql`true` : sql`d.template_id = ${template}`
  const ofCampaign = campaignId === undefined ? sql`true` : sql`key = ${campaignId}`
  const pressed = sql.join(keySums.map((column) => sql`sum(${sql.ref(column)}) > 0`))
  const { rows } = await sql<{ key: string; label: string }>`
    with counted as materialized (
      select key as campaign_id,
             array[${pressed}] as pressed
        from answer_count
       where account_id = ${accountId}
         and kind = 'campaign'
         and at between ${days.from} and ${days.to}
         and ${ofCampaign}
       group by key
    ), called as (
      select u.key,
             d.composed -> 'keyLabels' ->> u.key as label
        from counted n
        join campaign c on c.id = n.campaign_id and not c.is_test
        join campaign_detail d on d.campaign_id = n.campaign_id and ${ofTemplate},
             unnest(${[...keypad]}::text[], n.pressed) u (key, is_pressed)
       where u.is_pressed
    )
    select key, min(label) as label
      from called
     group by key
    having count(*) = count(label) and min(label) = max(label)`.execute(db)
  return rows
}

type Kept = { kind: CountKind; keys: readonly number[] }

export async function answersByDay(
  db: Db,
  accountId: number,
  days: Days,
  { kind, keys }: Kept,
): Promise<(AnswerSums & { day: number })[]> {
  const { rows } = await sql<AnswerSums & { day: number }>`
    select at as day, ${sumsOf(answerSums)} from answer_count
     where account_id = ${accountId} and kind = ${sql.lit(kind)} and at between ${days.from} and ${days.to} and key = any (${keys}::bigint[]) group by 1 order by 1`.execute(
    db,
  )
  return rows
}

/** The sums of a dimension's keys over the days. Keys without any have no row. A day is one range of the primary key, however many keys it has. */
export async function answersByKey(
  db: Db,
  accountId: number,
  days: Days,
  { kind, keys }: Kept & { kind: CallDimension },
): Promise<Map<number, AnswerSums>> {
  if (keys.length === 0 || kind === 'agent') return new Map()
  const { rows } = await sql<AnswerSums & { key: number }>`
    select c.key, ${sumsOf(answerSums)} from generate_series(${days.from}::int, ${days.to}::int) day
      join lateral (select * from answer_count where account_id = ${accountId} and kind = ${sql.lit(kind)} and at = day and key = any (${keys}::bigint[])) c on true
     group by 1`.execute(db)
  return new Map(rows.map(({ key, ...sums }) => [key, sums]))
}
