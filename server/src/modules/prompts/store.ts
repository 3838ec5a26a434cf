import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { PromptStatus } from '@ghanti/contract/prompts.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import type { AccountType } from '@ghanti/contract/roles.ts'
import type { PromptCategory } from '@ghanti/contract/templates.ts'
import { sql, type Selectable } from 'kysely'
import { readOwned } from '../../db/lists/owned-list.ts'
import { countUpTo } from '../../db/lists/count.ts'
import type { Db, Tx } from '../../db/db.ts'
import type { Prompt as PromptTable } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { within, type Scope } from '../../policy.ts'

export type Prompt = Selectable<PromptTable> & { username: string }

const keys = {
  promptId: sql.ref('prompt.id'),
  fileName: sql`lower(prompt.name)`,
  promptCategory: sql.ref('prompt.category'),
  promptStatus: sql.ref('prompt.status'),
  accountType: sql.ref('prompt.account_type'),
  username: sql`lower(users.username)`,
}

export type PromptFilter = {
  statuses?: readonly PromptStatus[] | undefined
  categories?: readonly PromptCategory[] | undefined
  from?: Date | undefined
  to?: Date | undefined
  exceptOf?: number
}

function prompts(db: Db, scope: Scope) {
  return db
    .selectFrom('prompt')
    .innerJoin('users', 'users.id', 'prompt.owner_id')
    .selectAll('prompt')
    .select('users.username')
    .where('prompt.deleted_at', 'is', null)
    .where(within(scope, 'prompt.owner_id'))
}

function idsOf(db: Db, scope: Scope, filter: PromptFilter, search: string | undefined) {
  const { statuses, categories, from, to, exceptOf } = filter
  let rows = db
    .selectFrom('prompt')
    .select('prompt.id')
    .where('prompt.deleted_at', 'is', null)
    .where(within(scope, 'prompt.owner_id'))
  if (statuses) rows = rows.where('prompt.status', 'in', statuses)
  if (categories) rows = rows.where('prompt.category', 'in', categories)
  if (from) rows = rows.where('prompt.created_at', '>=', from)
  if (to) rows = rows.where('prompt.created_at', '<', to)
  if (exceptOf !== undefined) rows = rows.where('prompt.owner_id', '<>', exceptOf)
  const named = search ? { search, columns: ['prompt.name'], owner: 'prompt.owner_id' } : null
  return { rows, withOwners: rows.innerJoin('users', 'users.id', 'prompt.owner_id'), named }
}

export async function list(db: Db, scope: Scope, filter: PromptFilter, query: ListQuery): Promise<Page<Prompt>> {
  const { statuses, categories, from, to } = filter
  const isFiltered = Boolean(query.search ?? statuses ?? categories ?? from ?? to)
  const sorting = {
    keys,
    id: sql.ref<number>('prompt.id'),
    fallback: '-promptId',
    isFiltered,
    at: sql.ref<Date>('prompt.created_at'),
  }
  const page = await readOwned(db, idsOf(db, scope, filter, query.search), query, sorting)
  const ids = page.rows.map(({ id }) => id)
  const shown = await prompts(db, scope)
    .where('prompt.id', '=', sql<number>`any (${ids}::int[])`)
    .execute()
  const byId = new Map(shown.map((prompt) => [prompt.id, prompt]))
  return { ...page, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

export function find(db: Db, scope: Scope, promptId: number): Promise<Prompt | undefined> {
  return prompts(db, scope).where('prompt.id', '=', promptId).executeTakeFirst()
}

export function countPending(db: Db): Promise<number> {
  const pending = db.selectFrom('prompt').select('id').where('status', '=', 'pending').where('deleted_at', 'is', null)
  return countUpTo(db, pending, 100)
}

export function findByName(db: Db, scope: Scope, ownerId: number, name: string): Promise<Prompt | undefined> {
  return prompts(db, scope)
    .where('prompt.owner_id', '=', ownerId)
    .where(sql<boolean>`lower(prompt.name) = lower(${name})`)
    .executeTakeFirst()
}

export type NewPrompt = {
  ownerId: number
  name: string
  category: PromptCategory
  accountType: AccountType
  wavHash: string
  originalHash: string
  durationMs: number
  sizeBytes: number
}

/** The new id; undefined when the owner has a prompt of that name, ignoring case. */
export async function insert(tx: Tx, prompt: NewPrompt): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('prompt')
    .values({
      owner_id: prompt.ownerId,
      name: prompt.name,
      category: prompt.category,
      account_type: prompt.accountType,
      wav_hash: prompt.wavHash,
      original_hash: prompt.originalHash,
      duration_ms: prompt.durationMs,
      size_bytes: prompt.sizeBytes,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export type Decision = {
  promptId: number
  status: 'approved' | 'rejected'
  reason: string | null
  byUserId: number
  at: Date
}

/** False when it is no longer pending. */
export async function decide(tx: Tx, decision: Decision): Promise<boolean> {
  const decided = await tx
    .updateTable('prompt')
    .set({
      status: decision.status,
      reject_reason: decision.reason,
      decided_by: decision.byUserId,
      decided_at: decision.at,
    })
    .where('id', '=', decision.promptId)
    .where('status', '=', 'pending')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return decided.numUpdatedRows === 1n
}

/** Locks it against being composed into a campaign; false when it is deleted already. */
export async function lockForDelete(tx: Tx, promptId: number): Promise<boolean> {
  const locked = await tx
    .selectFrom('prompt')
    .select('id')
    .where('id', '=', promptId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return locked !== undefined
}

export async function markDeleted(tx: Tx, promptId: number, at: Date): Promise<void> {
  await tx.updateTable('prompt').set({ deleted_at: at }).where('id', '=', promptId).execute()
}

/** Campaigns that may still play it: their frozen flow names it. */
export async function unfinishedUses(
  tx: Tx,
  prompt: { promptId: number; ownerId: number },
): Promise<{ name: string; status: CampaignStatus }[]> {
  return await tx
    .selectFrom('campaign')
    .innerJoin('campaign_detail', 'campaign_detail.campaign_id', 'campaign.id')
    .select(['campaign_detail.name', 'campaign.status'])
    .where('campaign.account_id', '=', prompt.ownerId)
    .where('campaign.status', 'not in', finishedStatuses)
    .where(
      sql<boolean>`jsonb_path_exists(campaign_detail.flow, '$.**.promptId ? (@ == $id)', jsonb_build_object('id', ${prompt.promptId}::int))`,
    )
    .orderBy('campaign.id')
    .limit(3)
    .execute()
}

/** The prompts that a campaign's frozen flow plays, deleted ones included, locked until the transaction ends. */
export function holdOfCampaign(tx: Tx, campaignId: number) {
  return tx
    .selectFrom('prompt')
    .select(['name', 'deleted_at'])
    .where(
      sql<boolean>`id in (select jsonb_path_query(flow, '$.**.promptId')::int from campaign_detail where campaign_id = ${campaignId})`,
    )
    .orderBy('id')
    .forShare()
    .execute()
}

export function holdOwn(tx: Tx, ownerId: number, promptIds: readonly number[]) {
  return tx
    .selectFrom('prompt')
    .select(['id', 'name', 'status', 'duration_ms', 'wav_hash'])
    .where('id', 'in', promptIds)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
}

export async function accountTypeOf(tx: Tx, userId: number): Promise<AccountType> {
  const { account_type } = await tx
    .selectFrom('users')
    .select('account_type')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return account_type
}
