import type { QueryResultRow } from 'pg'
import { run, statement, type Queryable, type Statement } from '../../../dispatch/statement.ts'

/** Where a statement finds the cursor of rows: in the campaign c, or in the line s of their stream. */
type Cursor = {
  cursor: 'c' | 's'
  joined: string
  /** What to lock for it. */
  locked: string
  /** The table that has it, and its line there, as c. */
  table: string
  line: string
  stream: string
}

const ofCampaign: Cursor = {
  cursor: 'c',
  joined: '',
  locked: 'c',
  table: 'campaign',
  line: 'c.id = $4',
  stream: '0::smallint',
}

/** `parameter`: of the stream. */
const ofStream = (parameter: string): Cursor => ({
  cursor: 's',
  joined: ` join campaign_stream s on s.campaign_id = c.id and s.stream = ${parameter}::smallint`,
  locked: 'c, s',
  table: 'campaign_stream',
  line: `c.campaign_id = $4 and c.stream = ${parameter}::smallint`,
  stream: `${parameter}::smallint`,
})

type ByCursor<Row extends QueryResultRow> = { ofCampaign: Statement<Row>; ofStream: Statement<Row> }

/**
 * A statement for campaigns of one cursor and one for a stream, made of a text with a Cursor's names in braces. They are two, so that campaigns of one
 * cursor pay nothing for those of several.
 */
export function byCursor<Row extends QueryResultRow>(name: string, text: string, parameter: string): ByCursor<Row> {
  const made = (cursor: Cursor): string => text.replace(/\{(\w+)\}/g, (_, key: keyof Cursor) => cursor[key])
  return {
    ofCampaign: statement<Row>(name, made(ofCampaign)),
    ofStream: statement<Row>(`${name}_of_stream`, made(ofStream(parameter))),
  }
}

/** `stream` null: the campaign has one cursor. */
export function runByCursor<Row extends QueryResultRow>(
  db: Queryable,
  statements: ByCursor<Row>,
  values: readonly unknown[],
  stream: number | null,
): Promise<Row[]> {
  return stream === null ? run(db, statements.ofCampaign, values) : run(db, statements.ofStream, [...values, stream])
}

/** The streams of campaign c, as s: those of its operators, or 0 where its rows have one cursor. */
export const streamsOfCampaign = `unnest(case when c.by_operator then array(select x.stream from campaign_stream x where x.campaign_id = c.id) else '{0}'::smallint[] end) s (stream)`

/** When the first row of the queue of campaign c is due. Each stream's is read in its order. */
export const nextDue = `select min(q.due_at) from ${streamsOfCampaign}, lateral (
    select r.due_at from contact_retry r where r.campaign_id = c.id and r.stream = s.stream order by r.due_at, r.no limit 1) q`
