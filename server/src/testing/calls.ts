import type { Insertable } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Attempt } from '../db/tables.ts'
import type { Viewer } from '../policy.ts'

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

/** What makes it an answered one of so many seconds. */
export const answered = (seconds: number, at = new Date()) => ({
  disposition: 'ANSWER' as const,
  answered_at: at,
  bill_ms: seconds * 1000,
  pulses: 1,
  cost_paisa: 50,
})
