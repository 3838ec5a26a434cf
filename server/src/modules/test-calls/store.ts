import { campaignActions, finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { within, type Scope } from '../../policy.ts'

export async function lockTests(tx: Tx, ownerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('test calls'), ${ownerId})`.execute(tx)
}

export async function testsOf(tx: Tx, ownerId: number): Promise<{ unfinished: number; lately: number }> {
  return await tx
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .select([
      sql<number>`count(*) filter (where c.status <> all (${[...finishedStatuses]}::campaign_status[]))::int`.as(
        'unfinished',
      ),
      sql<number>`count(*) filter (where d.created_at > now() - interval '1 hour')::int`.as('lately'),
    ])
    .where('c.account_id', '=', ownerId)
    .where('c.is_test', '=', true)
    .where('c.is_call_now', '=', false)
    .executeTakeFirstOrThrow()
}

type InTheWay = { phone: number; busy: boolean; had: number }

/** Numbers that this account may not call now, because they are in a call or had too many today. */
export async function numbersInTheWay(
  tx: Tx,
  ownerId: number,
  phones: readonly string[],
  caps: { answered: number; attempted: number; platform: number },
): Promise<InTheWay[]> {
  const e164 = phones.map((phone) => `977${phone.replace(/^0/, '')}`)
  const { rows } = await sql<InTheWay>`
    select t.phone, exists (select from number_use n where n.phone = t.phone and n.attempt_id is not null) as busy, coalesce(d.had, 0)::int as had
      from unnest(${e164}::bigint[]) with ordinality as t (phone, place) left join lateral (
        select case when sum(tried) filter (where account_id = ${ownerId}) >= ${caps.attempted} or sum(answered) filter (where account_id = ${ownerId}) >= ${caps.answered}
                 then sum(tried) filter (where account_id = ${ownerId}) when sum(tried) >= ${caps.platform} then sum(tried) end as had
          from number_day n where n.phone = t.phone and n.day = nepal_day(now())) d on true
     where d.had is not null or exists (select from number_use n where n.phone = t.phone and n.attempt_id is not null) order by t.place`.execute(
    tx,
  )
  return rows
}

export function findCampaign(db: Db, scope: Scope, campaignId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .innerJoin('cli', 'cli.id', 'c.cli_id')
    .select(['d.name', 'cli.number as cli'])
    .where('c.id', '=', campaignId)
    .where('c.is_test', '=', false)
    .where(within(scope, 'c.account_id'))
    .executeTakeFirst()
}

export function findTest(db: Db, scope: Scope, testId: number) {
  return db
    .selectFrom('campaign as c')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'c.id')
    .select(['c.id', 'c.status', 'c.reason', 'd.name', 'd.flow'])
    .where('c.id', '=', testId)
    .where('c.is_test', '=', true)
    .where('c.is_call_now', '=', false)
    .where(within(scope, 'c.account_id'))
    .executeTakeFirst()
}
export type Test = NonNullable<Awaited<ReturnType<typeof findTest>>>

export function callsOf(db: Db, testId: number) {
  return db
    .selectFrom('campaign_contact as r')
    .leftJoin('contact_value as v', (on) => on.onRef('v.campaign_id', '=', 'r.campaign_id').onRef('v.no', '=', 'r.no'))
    .leftJoinLateral(
      (join) =>
        join
          .selectFrom('attempt')
          .select(['id', 'disposition', 'bill_ms', 'cost_paisa', 'keys'])
          .whereRef('attempt.campaign_id', '=', 'r.campaign_id')
          .whereRef('attempt.no', '=', 'r.no')
          .orderBy('id', 'desc')
          .limit(1)
          .as('a'),
      (on) => on.onTrue(),
    )
    .select(['r.no', 'r.phone', 'r.state', 'v.vars', 'a.disposition', 'a.bill_ms', 'a.cost_paisa', 'a.keys'])
    .select(
      sql<boolean>`exists (select from attempt_open o where o.campaign_id = r.campaign_id and o.no = r.no)`.as(
        'in_call',
      ),
    )
    .where('r.campaign_id', '=', testId)
    .orderBy('r.line')
    .execute()
}
export type TestedNumber = Awaited<ReturnType<typeof callsOf>>[number]

export function linesOf(db: Db, testId: number) {
  return db
    .selectFrom('test_call_line')
    .select(['no', 'at', 'line'])
    .where('campaign_id', '=', testId)
    .orderBy('no')
    .orderBy('at')
    .orderBy('seq')
    .limit(1000)
    .execute()
}
export type TestLine = Awaited<ReturnType<typeof linesOf>>[number]

/** Ends answered calls too. False when it is over or does not exist. */
export async function stopTest(tx: Tx, scope: Scope, testId: number): Promise<boolean> {
  const { from, to } = campaignActions.stop
  const { numUpdatedRows } = await tx
    .updateTable('campaign')
    .set({ status: to, reason: null, end_now: true, hold_cause: null, held_by: null })
    .where('id', '=', testId)
    .where('is_test', '=', true)
    .where('is_call_now', '=', false)
    .where('status', 'in', from)
    .where(within(scope, 'campaign.account_id'))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
