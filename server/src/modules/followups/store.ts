import type { Disposition, CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { campaignActions, finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import type { Language } from '@ghanti/contract/templates.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { AgentMissed } from '../../db/tables.ts'
import { within, type Scope } from '../../policy.ts'

export async function lockFollowups(tx: Tx, ownerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('call now'), ${ownerId})`.execute(tx)
}

/** As long as its state is not `ended`: the engine takes a moment to complete the campaign of a call that is over. */
const isNotOver = sql<boolean>`(
  exists (select from attempt_open o where o.campaign_id = campaign.id)
  or not exists (
    select from campaign_contact r where r.campaign_id = campaign.id and r.no = 0 and r.state in ('done', 'dnd', 'expired')))`

export async function isUnderWay(tx: Tx, ownerId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('campaign')
    .select('id')
    .where('account_id', '=', ownerId)
    .where('is_call_now', '=', true)
    .where('status', 'not in', finishedStatuses)
    .where(isNotOver)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A call that ended, of any kind, with its owner's profile number. */
export function findCall(db: Db, scope: Scope, attemptId: number) {
  return db
    .selectFrom('attempt as a')
    .innerJoin('campaign as c', 'c.id', 'a.campaign_id')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'a.campaign_id')
    .innerJoin('users as u', 'u.id', 'c.account_id')
    .select(['a.phone', 'a.agent', 'a.campaign_id', 'c.is_call_now', 'c.is_test', 'd.name', 'u.number as profile'])
    .select('c.cli_id') // what was chosen: of a group, its caller ID for this number again
    .select(sql<Language | null>`coalesce(d.flow -> 'speech' ->> 'language', d.flow ->> 'language')`.as('language'))
    .where('a.id', '=', attemptId)
    .where(within(scope, 'c.account_id'))
    .executeTakeFirst()
}
export type FollowedCall = NonNullable<Awaited<ReturnType<typeof findCall>>>

/** Whether one of these accounts uses all of its channels. */
export async function isChannelShort(tx: Tx, payerIds: readonly number[]): Promise<boolean> {
  const full = await tx
    .selectFrom('account_channels')
    .select('account_id')
    .where('account_id', 'in', payerIds)
    .where(sql<boolean>`calls_in_progress(account_id) >= channels`)
    .executeTakeFirst()
  return full !== undefined
}

export type FollowupLine = {
  id: number
  account_id: number
  status: CampaignStatus
  reason: string | null
  flow: unknown
  row_state: string | null
  is_open: boolean
  /** The state of an answered call, in the terms of callflow/call.ts. */
  step: string | null
  attempt_id: number | null
  disposition: Disposition | null
  agent_missed: AgentMissed | null
  bill_ms: number | null
  patch_bill_ms: number | null
  cost_paisa: number | null
}

const lines = (which: ReturnType<typeof sql>) => sql<FollowupLine>`
  select c.id, c.account_id, c.status, c.reason, d.flow, r.state as row_state, o.id is not null as is_open, s.state -> 'flow' ->> 'at' as step,
         a.id as attempt_id, a.disposition, a.agent_missed, a.bill_ms, a.patch_bill_ms, a.cost_paisa
    from ${which} c
    join campaign_detail d on d.campaign_id = c.id
    left join campaign_contact r on r.campaign_id = c.id and r.no = 0
    left join attempt_open o on o.campaign_id = c.id and o.no = 0
    left join attempt_step s on s.attempt_id = o.id
    left join lateral (select * from attempt where attempt.campaign_id = c.id order by id desc limit 1) a on true`

export async function findFollowup(db: Db, scope: Scope, followupId: number): Promise<FollowupLine | undefined> {
  const { rows } = await lines(
    sql`(select * from campaign where id = ${followupId} and is_call_now and ${within(scope, 'campaign.account_id')})`,
  ).execute(db)
  return rows[0]
}

/** Each account's newest, if it started within the longest time one can last. */
export async function newestFollowups(db: Db, accountIds: readonly number[]): Promise<FollowupLine[]> {
  const { rows } = await lines(sql`(
    select newest.* from unnest(${accountIds}::int[]) t (account_id) cross join lateral (
      select * from campaign n where n.account_id = t.account_id and n.is_call_now order by n.id desc limit 1) newest
     where newest.start_at > now() - interval '2 hours')`).execute(db)
  return rows
}

/** Hangs up on everybody in the call. False when it is over or does not exist. */
export async function stopFollowup(tx: Tx, scope: Scope, followupId: number): Promise<boolean> {
  const { from, to } = campaignActions.stop
  const { numUpdatedRows } = await tx
    .updateTable('campaign')
    .set({ status: to, reason: null, end_now: true, hold_cause: null, held_by: null })
    .where('id', '=', followupId)
    .where('is_call_now', '=', true)
    .where('status', 'in', from)
    .where(isNotOver)
    .where(within(scope, 'campaign.account_id'))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
