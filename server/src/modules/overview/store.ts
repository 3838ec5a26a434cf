import type { Need, NeedKind, Trouble } from '@ghanti/contract/overview.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/db.ts'
import { ownedPaisa } from '../../db/owned.ts'
import { within, type Scope } from '../../policy.ts'

const countedTo = 100
const hourMs = 3600_000
const day = 24 * hourMs
/** How long a failed or ready campaign counts as news. */
const failedMs = 3 * day
const readyMs = day

type Found = Omit<Need, 'hold'> & { hold: Need['hold'] | null }

function needOf(kind: NeedKind, from: RawBuilder<unknown>): RawBuilder<Found> {
  const hold =
    kind === 'campaignsHeld' || kind === 'smsHeld' ? sql`(array_agg(hold order by id desc))[1]` : sql`null::jsonb`
  return sql`select ${sql.lit(kind)} as kind, count(*)::int as count, (array_agg(about order by id desc))[1] as about, (array_agg(reason order by id desc))[1] as reason, ${hold} as hold
    from (${from} order by id desc limit ${sql.lit(countedTo)}) newest having count(*) > 0`
}

/** On hold for a cause that does not pass by itself. */
const waitsFor = sql`case p.status when 'lowBalance' then 'lowBalance' when 'onHold' then c.hold_cause::text end`
const holder = sql`(select username from users where id = c.held_by)`
const heldStatuses = sql`('onHold', 'lowBalance')`
const isNotNight = sql`c.hold_cause is distinct from 'hours'`

/**
 * What an account should act on, each kind through an index of its own and counted up to a hundred. Looks only at the newest campaigns of a
 * status, so that years of failed ones cost nothing.
 */
export async function needsOf(db: Db, userId: number, now: Date): Promise<Need[]> {
  const since = (ms: number) => new Date(now.getTime() - ms)
  const campaigns = (table: string, progress: string, kind: 'held' | 'failed') => {
    const newest = (statuses: RawBuilder<unknown>) => sql`
      select p.campaign_id as id, p.name as about, p.reason, p.finished_at,
             jsonb_build_object('campaignId', p.campaign_id, 'cause', ${waitsFor}, 'heldBy', ${holder}) as hold from ${sql.table(progress)} p join ${sql.table(table)} c on c.id = p.campaign_id
       where p.account_id = ${userId} and p.status in ${statuses} and ${kind === 'held' ? isNotNight : sql`true`} order by p.campaign_id desc limit ${sql.lit(countedTo)}`
    if (kind === 'held') return sql`select id, about, reason, hold from (${newest(heldStatuses)}) n`
    return sql`select id, about, reason from (${newest(sql`('failed', 'refused')`)}) n where finished_at > ${since(failedMs)}`
  }
  const rejected = (table: string, owner: string, reason: string) =>
    sql`select id, name as about, ${sql.ref(reason)} as reason from ${sql.table(table)}
      where deleted_at is null and ${sql.ref(owner)} = ${userId} and status = 'rejected'`
  const parts: Partial<Record<NeedKind, RawBuilder<unknown>>> = {
    noCli: sql`select id, null::text as about, null::text as reason from users u where id = ${userId} and role = 'user' and not exists (
      select from cli_holder h join cli on cli.id = h.cli_id where h.account_id = u.id and cli.deleted_at is null and cli.trunk_id is not null)`,
    campaignsHeld: campaigns('campaign', 'campaign_progress', 'held'),
    campaignsFailed: campaigns('campaign', 'campaign_progress', 'failed'),
    smsHeld: campaigns('sms_campaign', 'sms_campaign_progress', 'held'),
    smsFailed: campaigns('sms_campaign', 'sms_campaign_progress', 'failed'),
    promptsRejected: rejected('prompt', 'owner_id', 'reject_reason'),
    packsRejected: sql`select id, name as about, reject_reason as reason from voice_pack where owner_id = ${userId} and reject_reason is not null
      and not exists (select from voice_pack_word w where w.pack_id = voice_pack.id and w.pending_hash is not null)`,
    sendersRejected: rejected('sms_sender', 'account_id', 'reason'),
    textsRejected: rejected('sms_text', 'account_id', 'reason'),
    exportsReady: sql`select id, file_name as about, null::text as reason from export where owner_id = ${userId} and status = 'ready'
      and ended_at > ${since(readyMs)} and expires_at > ${now}`,
  }
  const every = Object.entries(parts).map(([kind, from]) => sql`(${needOf(kind as NeedKind, from)})`)
  const { rows } = await sql<Found>`${sql.join(every, sql` union all `)}`.execute(db)
  return rows.map(({ hold, ...need }) => (hold ? { ...need, hold } : need))
}

/** In paisa. Below it the account is notified. */
export async function lowBalanceLimit(db: Db, userId: number): Promise<number> {
  const { low_balance_paisa } = await db
    .selectFrom('account')
    .select('low_balance_paisa')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return low_balance_paisa
}

export type LowBalance = { userId: number; username: string; free: number; limit: number; inAll: number }

/** Direct customers whose free balance is below their own limit, the lowest first. Leaves out disabled and expired ones. */
export async function lowBalances(db: Db, parentId: number, now: Date, most: number): Promise<LowBalance[]> {
  const { rows } = await sql<LowBalance>`
    select u.id as "userId", u.username, m.free, a.low_balance_paisa as "limit", (count(*) over ())::int as "inAll"
      from users u join account a on a.id = u.id
      cross join lateral (select ${ownedPaisa('a')} - a.reserved_paisa as free) m
     where u.parent_id = ${parentId} and u.deleted_at is null and u.disabled_at is null and coalesce(u.expires_at, 'infinity') > ${now}
       and a.balance_paisa - a.reserved_paisa < a.low_balance_paisa and m.free < a.low_balance_paisa
     order by m.free, u.id limit ${most}`.execute(db)
  return rows
}

/** From this many calls on, no answer at all means something. */
const unansweredFrom = 20

export type Troubled = { row: Trouble; inAll: number }

/** Campaigns in the scope that need a look: unfinished ones, and those that ended within a day. */
export async function troubles(db: Db, scope: Scope, now: Date, most: number): Promise<Troubled[]> {
  const failedSince = new Date(now.getTime() - day)
  const of = (table: string, progress: string, isSms: boolean) => {
    const unanswered = isSms
      ? sql`false`
      : sql`(p.status = 'running' and p.attempts >= ${sql.lit(unansweredFrom)} and p.answered = 0)`
    const row = (
      trouble: RawBuilder<unknown>,
    ) => sql`select p.campaign_id, p.name, p.account_id, u.username, ${trouble} as trouble, p.reason, ${waitsFor} as hold, ${holder} as held_by, ${sql.lit(isSms)}::boolean as is_sms, p.changed_at
      from ${sql.table(progress)} p join users u on u.id = p.account_id join ${sql.table(table)} c on c.id = p.campaign_id`
    return sql`
      (${row(sql`case p.status when 'running' then 'unanswered' when 'lowBalance' then 'lowBalance' else 'held' end`)}
       where p.finished_at is null and ${within(scope, 'p.account_id')} and ((p.status in ${heldStatuses} and ${isNotNight}) or ${unanswered}))
      union all
      (${row(sql`'failed'`)} where p.finished_at > ${failedSince} and p.status in ('failed', 'refused') and ${within(scope, 'p.account_id')})`
  }
  const { rows } = await sql<Troubled>`
    select jsonb_build_object('campaignId', campaign_id, 'campaignName', name, 'userId', account_id, 'username', username, 'trouble', trouble, 'reason', reason, 'hold', hold, 'heldBy', held_by, 'isSms', is_sms) as row,
           (count(*) over ())::int as "inAll"
      from (${of('campaign', 'campaign_progress', false)} union all ${of('sms_campaign', 'sms_campaign_progress', true)}) found
     order by changed_at desc limit ${most}`.execute(db)
  return rows
}

/** Domains waiting for a super admin, and voice packs with recordings waiting; each counted up to 100. */
export async function waitingOthers(db: Db): Promise<{ domains: number; packs: number }> {
  const { rows } = await sql<{ domains: number; packs: number }>`
    select (select count(*)::int from (select from brand_domain d join users u on u.id = d.user_id
             where d.confirmed_at is null and u.deleted_at is null limit ${countedTo}) d) as domains,
           (select count(*)::int from (select distinct w.pack_id from voice_pack_word w where w.pending_hash is not null limit ${countedTo}) p) as packs`.execute(
    db,
  )
  return rows[0] ?? { domains: 0, packs: 0 }
}
