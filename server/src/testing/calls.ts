import type { Insertable } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Attempt } from '../db/tables.ts'
import type { Viewer } from '../policy.ts'
import type { TestApp } from './app.ts'

let lastId = 1_000_000

type More = Partial<Insertable<Attempt>> & { at?: Date }

/** A call that ended, as the engine writes it: unanswered unless told otherwise. Ids grow. */
export async function newCall(
  app: { db: Db },
  owner: Viewer,
  campaignId: number,
  { at = new Date(), ...more }: More = {},
): Promise<number> {
  const id = ++lastId
  const of = await app.db
    .selectFrom('campaign')
    .select(['trunk_id', 'cli_id'])
    .where('id', '=', campaignId)
    .executeTakeFirstOrThrow()
  const times = { started_at: at, ended_at: at, claimed_at: at }
  const money = { cost_paisa: 0, uncollected_paisa: 0, pulses: 0 }
  const what = { epoch: 1, campaign_id: campaignId, no: 0, attempt_no: 1, phone: 9_779_841_000_001 }
  const way = { account_id: owner.userId, ...of, operator: 1, kind: 'campaign' as const }
  await app.db
    .insertInto('attempt')
    .values({ id, disposition: 'BUSY', ...times, ...money, ...what, ...way, ...more })
    .execute()
  return id
}

/** This many unanswered calls, each to a number and of a row of its own. */
export async function newCalls(app: TestApp, owner: Viewer, campaignId: number, count: number): Promise<void> {
  await app.pool.query(
    `insert into attempt (id, started_at, ended_at, claimed_at, phone, epoch, cost_paisa, uncollected_paisa, campaign_id, no, pulses, attempt_no, disposition,
       account_id, trunk_id, cli_id, operator, kind)
     select nextval('attempt_open_id_seq'), now(), now(), now(), 9779800000000 + n, 1, 0, 0, $1, n, 0, 1, 'BUSY', $2, c.trunk_id, c.cli_id, 1, 'campaign'
       from generate_series(1, $3::int) n, campaign c where c.id = $1`,
    [campaignId, owner.userId, count],
  )
}

export const answered = (seconds: number, at = new Date()) => ({
  disposition: 'ANSWER' as const,
  answered_at: at,
  bill_ms: seconds * 1000,
  pulses: 1,
  cost_paisa: 50,
})
