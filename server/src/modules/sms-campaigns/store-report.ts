import type { DeliveryStatus } from '@ghanti/contract/sms-campaigns.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { ArchivedRecord } from '../../db/archive-file.ts'
import type { Db } from '../../db/db.ts'
import { readBatches, readPage } from '../../db/lists/list.ts'
import { numberLike } from '../../db/search/numbers.ts'
import type { SmsSent } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { deliveryStatusOf } from './rules.ts'

type Which = { campaignId: number; statuses?: readonly DeliveryStatus[] | undefined; search?: string | undefined }

/** A retried message was paid twice: its cost is the sum of its history rows, found by its number; null when there are none. */
function described(db: Db, campaignId: number) {
  return db
    .selectFrom('sms_message as m')
    .select(['m.no', 'm.line', 'm.phone', 'm.state', 'm.segments', 'm.submitted_at', 'm.final_at', 'm.reason'])
    .select(
      sql<number | null>`(select sum(s.cost_paisa)::bigint from sms_sent s
        where s.phone = m.phone and s.campaign_id = m.campaign_id and s.no = m.no)`.as('cost_paisa'),
    )
    .where('m.campaign_id', '=', campaignId)
}
export type MessageRow = Awaited<ReturnType<ReturnType<typeof described>['execute']>>[number]

function messages(db: Db, { campaignId, statuses, search }: Which) {
  const states = Object.entries(deliveryStatusOf).flatMap(([state, status]) =>
    statuses?.includes(status) ? [state] : [],
  )
  return db
    .selectFrom('sms_message as m')
    .select('m.no')
    .where('m.campaign_id', '=', campaignId)
    .$if(statuses !== undefined, (rows) => rows.where(sql<boolean>`m.state = any (${states}::sms_state[])`))
    .$if(search !== undefined, (rows) => rows.where(numberLike(sql.ref('m.phone'), search ?? '', { indexed: true })))
}
async function shown(db: Db, campaignId: number, page: readonly { no: number }[]): Promise<MessageRow[]> {
  const nos = page.map((row) => row.no)
  const rows = await described(db, campaignId)
    .where('m.no', '=', sql<number>`any (${nos}::int[])`)
    .execute()
  const byNo = new Map(rows.map((row) => [row.no, row]))
  return nos.flatMap((no) => byNo.get(no) ?? [])
}

const id = sql<number>`m.no`

const counters: Record<DeliveryStatus, RawBuilder<number>> = {
  Waiting: sql`fresh + waiting + in_flight`,
  Submitted: sql`submitted`,
  Delivered: sql`delivered`,
  Failed: sql`failed`,
  Expired: sql`expired`,
  Unknown: sql`unknown`,
  DND: sql`dnd`,
  Unreachable: sql`unreachable`,
}

/**
 * Uses the campaign's counters. The state changes with every message and has no index, so finding that there are none would read them all.
 */
async function countOf(db: Db, campaignId: number, statuses: readonly DeliveryStatus[]): Promise<number> {
  const sum = sql.join(
    [...new Set(statuses)].map((status) => counters[status]),
    sql` + `,
  )
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(${sum}), 0)::int as count from sms_campaign_count where campaign_id = ${campaignId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function pageOfMessages(
  db: Db,
  which: Omit<Which, 'search'>,
  query: ListQuery,
): Promise<Page<MessageRow>> {
  const isFiltered = query.search !== undefined
  const { campaignId, statuses } = which
  const count = statuses && (await countOf(db, campaignId, statuses))
  // The counters know nothing of a search, except that there is nothing to find where they are 0.
  const counted = count === undefined || (isFiltered && count > 0) ? {} : { known: count }
  const sorting = { keys: { messageId: id }, id, fallback: '-messageId', isFiltered, onlyIds: true, ...counted }
  const page = await readPage(db, messages(db, { ...which, search: query.search }), query, sorting)
  return { ...page, rows: await shown(db, which.campaignId, page.rows) }
}

export async function* messageBatches(db: Db, which: Which): AsyncGenerator<MessageRow[]> {
  for await (const page of readBatches(db, messages(db, which), { key: id, id }))
    yield await shown(db, which.campaignId, page)
}

/** Submissions that are in an archive, by their columns as text, with what is left of their messages. `sms_id`: the last submission of the message. */
export function submissionsOf(db: Db, records: readonly ArchivedRecord[]) {
  const archived = sql<
    Selectable<SmsSent>
  >`(select * from json_populate_recordset(null::sms_sent, ${JSON.stringify(records)}))`
  return db
    .selectFrom(archived.as('s'))
    .leftJoin('sms_message as m', (on) => on.onRef('m.campaign_id', '=', 's.campaign_id').onRef('m.no', '=', 's.no'))
    .select(['s.id', 's.phone', 's.result', 's.segments', 's.settled_at', 's.cost_paisa', 's.reason as answer'])
    .select(['m.sms_id', 'm.line', 'm.state', 'm.submitted_at', 'm.final_at', 'm.reason'])
    .where('s.campaign_id', 'is not', null)
    .orderBy('s.id')
    .execute()
}
export type Submission = Awaited<ReturnType<typeof submissionsOf>>[number]
