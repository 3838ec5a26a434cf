import { calendarCountMax, calendarItemsMax, calendarUnfinishedMax } from '@ghanti/contract/calendar.ts'
import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { archivedOrNot } from '../../db/search/campaigns.ts'

export type Kind = 'calls' | 'messages'
export type Item = {
  kind: Kind
  campaignId: number
  campaignName: string
  username: string
  status: CampaignStatus
  startAt: Date
  finishedAt: Date | null
}
type Where = RawBuilder<boolean>
type Range = { from: Date; to: Date }

const tables = {
  calls: {
    rows: sql.table('campaign_progress'),
    archived: 'campaign_archived',
    deleted: sql.table('campaign_deleted'),
  },
  messages: {
    rows: sql.table('sms_campaign_progress'),
    archived: 'sms_campaign_archived',
    deleted: sql.table('sms_campaign_deleted'),
  },
} as const

/** Campaigns of the accounts in lists; texts after calls belong to their calls. `owned`: a condition on `p`. */
function listed(kind: Kind, owned: Where): RawBuilder<unknown> {
  const { rows, archived, deleted } = tables[kind]
  const alone =
    kind === 'calls'
      ? sql`true`
      : sql`not exists (select from sms_campaign c where c.id = p.campaign_id and c.call_campaign_id is not null)`
  return sql`from ${rows} p where ${owned} and ${sql.join(archivedOrNot(archived, undefined), sql` and `)} and ${alone}
    and not exists (select from ${deleted} x where x.campaign_id = p.campaign_id)`
}

const within = ({ from, to }: Range) => sql`p.start_at >= ${from} and p.start_at < ${to}`

/** In order of time, and one more than is shown, which tells whether there are more. */
export async function beginning(db: Db, kind: Kind, owned: Where, range: Range): Promise<Item[]> {
  const { rows } = await described(
    db,
    kind,
    sql`select p.* ${listed(kind, owned)} and ${within(range)} order by p.start_at, p.campaign_id limit ${calendarItemsMax + 1}`,
  )
  return rows
}

/** Not over yet, of both kinds, the latest first. */
export async function unfinishedBefore(db: Db, owned: Where, before: Date): Promise<Item[]> {
  const of = async (kind: Kind) => {
    const { rows } = await described(
      db,
      kind,
      sql`select p.* ${listed(kind, owned)} and p.finished_at is null and p.status <> all (${[...finishedStatuses]}::campaign_status[])
        and p.start_at < ${before} order by p.start_at desc limit ${calendarUnfinishedMax}`,
    )
    return rows
  }
  const [calls, messages] = await Promise.all([of('calls'), of('messages')])
  const both = [...calls, ...messages].toSorted((a, b) => b.startAt.getTime() - a.startAt.getTime())
  return both.slice(0, calendarUnfinishedMax)
}

function described(db: Db, kind: Kind, page: RawBuilder<unknown>) {
  return sql<Item>`
    select ${kind} as kind, p.campaign_id as "campaignId", p.name as "campaignName", u.username, p.status, p.start_at as "startAt", p.finished_at as "finishedAt"
    from (${page}) p join users u on u.id = p.account_id order by p.start_at, p.campaign_id`.execute(db)
}

export async function count(db: Db, owned: Where, range: Range): Promise<number> {
  const of = async (kind: Kind) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from (select ${listed(kind, owned)} and ${within(range)} limit ${calendarCountMax}) x`.execute(
      db,
    )
    return rows[0]?.n ?? 0
  }
  const [calls, messages] = await Promise.all([of('calls'), of('messages')])
  return calls + messages
}
