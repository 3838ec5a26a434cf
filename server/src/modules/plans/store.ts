import type { ListQuery } from '@ghanti/contract/route.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import type { Plan as PlanTable } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'

export type Plan = {
  id: number
  name: string
  pulseMs: number
  pulsePaisa: number
  smsPaisa: number | null
  enabled: boolean
}
export type PlanListed = Plan & { username: string; usedBy: number }

type PlanFilter = {
  enabled?: boolean | undefined
  pulsesMs?: readonly number[] | undefined
  ownerId?: number | undefined
}
export type PlanView = { kind: 'all' } | { kind: 'ownedBy'; ownerId: number } | { kind: 'heldBy'; userId: number }

const columns = [
  'plan.id',
  'plan.name',
  'plan.pulse_ms as pulseMs',
  'plan.pulse_price_paisa as pulsePaisa',
  'plan.sms_price_paisa as smsPaisa',
  'plan.enabled',
] as const

/** Its creator; for a plan of the platform whose creator is unknown, 'Platform'. */
const creator = sql<string>`coalesce(creator.username, owner.username, 'Platform')`

function plans(db: Db, view: PlanView) {
  const rows = db
    .selectFrom('plan')
    .leftJoin('users as creator', 'creator.id', 'plan.created_by')
    .leftJoin('users as owner', 'owner.id', 'plan.owner_id')
    .where('plan.deleted_at', 'is', null)
  if (view.kind === 'ownedBy') return rows.where('plan.owner_id', '=', view.ownerId)
  if (view.kind === 'all') return rows
  return rows.where('plan.id', '=', (e) =>
    e.selectFrom('users as holder').select('holder.plan_id').where('holder.id', '=', view.userId),
  )
}

const keys = {
  planId: sql.ref('plan.id'),
  planName: sql`lower(plan.name)`,
  pulseDuration: sql.ref('plan.pulse_ms'),
  pulsePrice: sql.ref('plan.pulse_price_paisa'),
  planStatus: sql`plan.enabled::int`,
  username: sql`lower(${creator})`,
}

export function list(db: Db, view: PlanView, filter: PlanFilter, query: ListQuery): Promise<Page<PlanListed>> {
  const { enabled, pulsesMs, ownerId } = filter
  let rows = plans(db, view)
    .select(columns)
    .select([
      creator.as('username'),
      sql<number>`(select count(*)::int from users on_it where on_it.plan_id = plan.id and on_it.deleted_at is null)`.as(
        'usedBy',
      ),
    ])
  if (enabled !== undefined) rows = rows.where('plan.enabled', '=', enabled)
  if (pulsesMs) rows = rows.where('plan.pulse_ms', 'in', pulsesMs)
  if (ownerId !== undefined) rows = rows.where('plan.owner_id', '=', ownerId)
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(sql<boolean>`(lower(plan.name) like ${pattern} or lower(${creator}) like ${pattern})`)
  }
  return readPage(db, rows, query, { keys, id: sql.ref('plan.id'), fallback: '-planId' })
}

export function enabledOf(db: Db, ownerId: number): Promise<Plan[]> {
  return plans(db, { kind: 'ownedBy', ownerId })
    .select(columns)
    .where('plan.enabled', '=', true)
    .orderBy(sql`lower(plan.name)`)
    .execute()
}

export function heldBy(db: Db, userId: number): Promise<Plan | undefined> {
  return plans(db, { kind: 'heldBy', userId }).select(columns).executeTakeFirst()
}

export async function roleOf(db: Db, userId: number): Promise<Role | undefined> {
  const user = await db.selectFrom('users').select('role').where('id', '=', userId).executeTakeFirst()
  return user?.role
}

/** `ownerId` null: anybody's. Locked for update, nobody can be put on it; locked for share, it cannot be deleted. */
export function lockPlan(
  tx: Tx,
  planId: number,
  ownerId: number | null,
  lock: 'share' | 'update',
): Promise<Plan | undefined> {
  let found = tx.selectFrom('plan').select(columns).where('plan.id', '=', planId).where('plan.deleted_at', 'is', null)
  if (ownerId !== null) found = found.where('plan.owner_id', '=', ownerId)
  return (lock === 'share' ? found.forShare() : found.forUpdate()).executeTakeFirst()
}

/** The account's plan cannot change until the transaction ends. */
export async function holdPlanOf(tx: Tx, userId: number): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forShare().execute()
}

/** The plans of an account's children, each with one child that is on it. */
export function plansBelow(tx: Tx, userId: number): Promise<(Plan & { username: string })[]> {
  return tx
    .selectFrom('users as child')
    .innerJoin('plan', 'plan.id', 'child.plan_id')
    .distinctOn('plan.id')
    .select(columns)
    .select('child.username')
    .where('child.parent_id', '=', userId)
    .where('child.deleted_at', 'is', null)
    .orderBy('plan.id')
    .orderBy('child.id')
    .execute()
}

export type Undercut = { planName: string; username: string; aboveName: string; aboveUsername: string }

/** Two accounts whose message prices would be in the wrong order if plans without a price cost `usual` per segment. */
export async function undercutBy(tx: Tx, usual: number): Promise<Undercut | undefined> {
  const { rows } = await sql<Undercut>`
    select p.name as "planName", child.username, above.name as "aboveName", giver.username as "aboveUsername"
      from users child join plan p on p.id = child.plan_id
      join users giver on giver.id = child.parent_id join plan above on above.id = giver.plan_id
     where child.deleted_at is null and (p.sms_price_paisa is null) <> (above.sms_price_paisa is null)
       and coalesce(p.sms_price_paisa, ${usual}::bigint) < coalesce(above.sms_price_paisa, ${usual}::bigint)
     order by child.id limit 1`.execute(tx)
  return rows[0]
}

/** One plan of the owner is added at a time, until the transaction ends. */
export async function lockPlansOf(tx: Tx, ownerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('plans'), ${ownerId})`.execute(tx)
}

/** How many plans the owner has. */
export async function count(tx: Tx, ownerId: number): Promise<number> {
  const plans = tx.selectFrom('plan').select(sql<number>`count(*)::int`.as('count'))
  return (await plans.where('owner_id', '=', ownerId).where('deleted_at', 'is', null).executeTakeFirstOrThrow()).count
}

export async function insert(tx: Tx, plan: Insertable<PlanTable>): Promise<number> {
  const { id } = await tx.insertInto('plan').values(plan).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function setEnabled(tx: Tx, planId: number, enabled: boolean): Promise<void> {
  await tx.updateTable('plan').set({ enabled }).where('id', '=', planId).execute()
}

export async function markDeleted(tx: Tx, planId: number, at: Date): Promise<void> {
  await tx.updateTable('plan').set({ deleted_at: at }).where('id', '=', planId).execute()
}

export async function holders(tx: Tx, planId: number): Promise<{ names: string[]; count: number }> {
  const on = tx.selectFrom('users').where('plan_id', '=', planId).where('deleted_at', 'is', null)
  const some = await on.select('username').orderBy('id').limit(5).execute()
  const { count } = await on.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { names: some.map(({ username }) => username), count }
}
