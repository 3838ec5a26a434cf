import { mintId } from '../../db/platform-accounts.ts'
import { whyTooCheap } from '@ghanti/contract/plans.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import type { planRoutes } from '@ghanti/contract/plans.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import type { Db, Tx } from '../../db/db.ts'
import { refuseTaken } from '../../db/unique-conflict.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOfPath, type Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { givingFault, holdersOf, plansMax, tooManyPlans } from './rules.ts'
import * as store from './store.ts'

type Giver = { userId: number; role: Role }
/** `name` is set when somebody else gives in the giver's stead: refusals then say whose plan is meant. */
type NamedGiver = Giver & { name?: string | undefined }

/** A super admin's plans belong to the platform. */
function ownerOf(db: Db, giver: Giver): Promise<number> {
  return giver.role === 'superAdmin' ? mintId(db) : Promise.resolve(giver.userId)
}

/**
 * What a path's `userId` shows: the viewer's own id all that the role may read, another id the plans that account made. Users see the plan
 * they are on.
 */
export async function planView(db: Db, viewer: Viewer, userId: number): Promise<store.PlanView> {
  await scopeOfPath(db, viewer, userId)
  if (userId === viewer.userId && viewer.role === 'superAdmin') return { kind: 'all' }
  const role = await store.roleOf(db, userId)
  if (role === 'user') return { kind: 'heldBy', userId }
  return { kind: 'ownedBy', ownerId: await ownerOf(db, { userId, role: role ?? 'user' }) }
}

/** What an account may give its children: its own enabled plans that are not cheaper than what it pays. */
export async function choicesOf(db: Db, viewer: Viewer, userId: number): Promise<store.Plan[]> {
  await scopeOfPath(db, viewer, userId)
  const role = await store.roleOf(db, userId)
  if (role === undefined || role === 'user') return []
  const own = await store.heldBy(db, userId)
  if (role === 'reseller' && !own) return []
  const plans = await store.enabledOf(db, await ownerOf(db, { userId, role }))
  if (role === 'superAdmin' || !own) return plans
  const usual = await settingOf(db, 'smsPricePaisa')
  const covers = (plan: store.Plan) => (plan.smsPaisa ?? usual) >= (own.smsPaisa ?? usual)
  return plans.filter((plan) => covers(plan) && whyTooCheap(plan, own) === null)
}

/**
 * Throws 400 at planId unless `giver` may put a direct child on the plan. `child` is null while it is being created; otherwise lock it
 * before. Locks the giver's own plan until the transaction ends, so that concurrent changes cannot undercut each other.
 */
export async function requireGivable(
  tx: Tx,
  giver: NamedGiver,
  planId: number,
  child: { userId: number; role: Role } | null,
): Promise<void> {
  await store.holdPlanOf(tx, giver.userId)
  const plan = await store.lockPlan(tx, planId, await ownerOf(tx, giver), 'share')
  const held = child === null ? undefined : await store.heldBy(tx, child.userId)
  const own = giver.role === 'superAdmin' ? null : ((await store.heldBy(tx, giver.userId)) ?? 'none')
  const below = child?.role === 'reseller' ? await store.plansBelow(tx, child.userId) : []
  const usual = await settingOf(tx, 'smsPricePaisa')
  const priced = <Of extends store.Plan>(one: Of) => ({ ...one, segmentPaisa: one.smsPaisa ?? usual })
  const fault = givingFault({
    plan: plan && priced(plan),
    held: held?.id === planId,
    own: own === null || own === 'none' ? own : priced(own),
    below: below.map(({ username, ...theirs }) => ({ username, plan: priced(theirs) })),
  })
  if (!fault) return
  const text = giver.name === undefined ? fault.text : `cannot be given by '${giver.name}': ${fault.text}`
  throw badField('planId', text, fault.code)
}

/** Refuses a plan cheaper than the account's own, because it could be given to nobody. */
export async function addPlan(ctx: Ctx, input: InputOf<typeof planRoutes.add>): Promise<number> {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    const price = { pulseMs: input.pulseDuration * 1000, pulsePaisa: input.pulsePrice }
    await requireCovering(tx, viewer, price, input.smsPrice ?? null)
    const ownerId = await ownerOf(tx, viewer)
    await store.lockPlansOf(tx, ownerId)
    if ((await store.count(tx, ownerId)) >= plansMax) throw conflict('planName', tooManyPlans, 'quota')
    const plan = {
      owner_id: ownerId,
      name: input.planName,
      pulse_ms: price.pulseMs,
      pulse_price_paisa: price.pulsePaisa,
      sms_price_paisa: input.smsPrice ?? null,
      created_by: viewer.userId,
    }
    const planId = await refuseTaken({ constraint: 'plan_name', field: 'planName', value: input.planName }, () =>
      store.insert(tx, plan),
    )
    await audit(tx, ctx, 'plan.create', `plan ${planId}`, plan)
    return planId
  })
}

async function requireCovering(
  tx: Tx,
  viewer: Viewer,
  price: { pulseMs: number; pulsePaisa: number },
  smsPaisa: number | null,
): Promise<void> {
  if (viewer.role === 'superAdmin') return
  await store.holdPlanOf(tx, viewer.userId)
  const own = await store.heldBy(tx, viewer.userId)
  if (!own) throw badField('pulsePrice', 'cannot be compared: you have no plan yourself', 'no_plan')
  const fault = whyTooCheap(price, own)
  if (fault) throw badField('pulsePrice', `is too low: ${fault}`, 'plan_cheaper')
  const usual = await settingOf(tx, 'smsPricePaisa')
  const pays = own.smsPaisa ?? usual
  if ((smsPaisa ?? usual) < pays)
    throw badField('smsPrice', `is too low: you pay ${pays} paisa a segment yourself`, 'plan_cheaper')
}

/**
 * Throws 400 if, with `usual` as the price of plans without one, an account would pay less per segment than the one above it
 * (docs/design.md#messages).
 */
export async function requireSmsCovering(tx: Tx, usual: number): Promise<void> {
  const pair = await store.undercutBy(tx, usual)
  if (!pair) return
  const { planName, username, aboveName, aboveUsername } = pair
  const text = `would make '${planName}' of ${username} cheaper for messages than '${aboveName}' of ${aboveUsername}`
  throw badField('smsPricePaisa', text, 'plan_cheaper')
}

/** Super admins may lock any plan; for others, somebody else's plan does not exist. */
async function lockOwn(tx: Tx, viewer: Viewer, planId: number): Promise<store.Plan> {
  const plan = await store.lockPlan(tx, planId, viewer.role === 'superAdmin' ? null : viewer.userId, 'update')
  if (!plan) throw new AppError('not_found')
  return plan
}

export async function setPlanStatus(ctx: Ctx, planId: number, enabled: boolean): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const plan = await lockOwn(tx, ctx.viewer, planId)
    if (plan.enabled === enabled) return
    await store.setEnabled(tx, planId, enabled)
    await audit(tx, ctx, enabled ? 'plan.enable' : 'plan.disable', `plan ${planId}`, { name: plan.name })
  })
}

export async function deletePlan(ctx: Ctx, planId: number): Promise<void> {
  await ctx.app.db.transaction().execute(async (tx) => {
    const plan = await lockOwn(tx, ctx.viewer, planId)
    const { names, count } = await store.holders(tx, planId)
    if (count > 0) {
      const who = holdersOf(names, count - names.length)
      throw conflict('planId', `is used by ${who}: give them another plan first`, 'in_use')
    }
    await store.markDeleted(tx, planId, ctx.app.clock.now())
    await audit(tx, ctx, 'plan.delete', `plan ${planId}`, { name: plan.name })
  })
}
