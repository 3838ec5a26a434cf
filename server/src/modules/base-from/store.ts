import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { isStopped } from '../../db/live.ts'
import type { BaseMaking } from '../../db/tables.ts'
import type { RowChoice } from './rules.ts'

/** Excludes test calls. */
export function ownCampaign(db: Db, ownerId: number, campaignId: number) {
  return db
    .selectFrom('campaign')
    .innerJoin('campaign_detail as d', 'd.campaign_id', 'campaign.id')
    .select(['campaign.status', 'd.name'])
    .where('campaign.id', '=', campaignId)
    .where('campaign.account_id', '=', ownerId)
    .where('campaign.is_test', '=', false)
    .executeTakeFirst()
}

export async function countUnfinished(tx: Tx, ownerId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('base_making')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('status', 'in', ['queued', 'making'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

type NewMaking = { ownerId: number; campaignId: number; name: string; choice: RowChoice; at: Date }
export async function insert(tx: Tx, { ownerId, campaignId, name, choice, at }: NewMaking): Promise<number> {
  const { id } = await tx
    .insertInto('base_making')
    .values({ owner_id: ownerId, campaign_id: campaignId, name, choice: JSON.stringify(choice), asked_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export function find(db: Db, ownerId: number, id: number): Promise<Selectable<BaseMaking> | undefined> {
  return db
    .selectFrom('base_making')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst()
}

/** Starts it, or restarts one that a killed process left unfinished. Undefined when it is already over. */
export async function begin(db: Db, id: number) {
  return await db
    .updateTable('base_making')
    .set({ status: 'making', rows: 0 })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'making'])
    .returning(['owner_id', 'campaign_id', 'name', 'choice'])
    .executeTakeFirst()
}

export async function saveRows(db: Db, id: number, rows: number): Promise<void> {
  await db.updateTable('base_making').set({ rows }).where('id', '=', id).where('status', '=', 'making').execute()
}

/** Locks it until the transaction ends; false when another process was quicker or it was given up. */
export async function holdMaking(tx: Tx, id: number): Promise<boolean> {
  const held = await tx
    .selectFrom('base_making')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'making')
    .forUpdate()
    .executeTakeFirst()
  return held !== undefined
}

type Ready = { baseId: number; rows: number; at: Date }
export async function markReady(tx: Tx, id: number, { baseId, rows, at }: Ready): Promise<void> {
  await tx
    .updateTable('base_making')
    .set({ status: 'ready', base_id: baseId, rows, ended_at: at })
    .where('id', '=', id)
    .execute()
}

export async function markFailed(db: Db, id: number, reason: string, at: Date): Promise<void> {
  await db
    .updateTable('base_making')
    .set({ status: 'failed', reason, ended_at: at })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'making'])
    .execute()
}

export async function isOwnerStopped(db: Db, ownerId: number): Promise<boolean> {
  const stopped = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', ownerId)
    .where(isStopped('users.path'))
    .executeTakeFirst()
  return stopped !== undefined
}

export async function deleteEnded(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('base_making').where('ended_at', '<', before).execute()
}
