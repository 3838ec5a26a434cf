import { messages } from '@ghanti/contract/messages.ts'
import { pulseSeconds } from '@ghanti/contract/plans.ts'
import type { Handlers } from '../../http/types.ts'
import { scopeOf, scopeOfFilter } from '../../policy.ts'
import { addPlan, choicesOf, deletePlan, planView, setPlanStatus } from './actions.ts'
import * as store from './store.ts'

export const planHandlers: Handlers<'plans'> = {
  async pulses() {
    return pulseSeconds.map((pulseDuration) => ({ pulseDuration }))
  },
  async add(ctx, input) {
    return { message: messages.success, planId: await addPlan(ctx, input) }
  },
  async own({ app, viewer }) {
    const plan = await store.heldBy(app.db, viewer.userId)
    return { plan: plan ? fieldsOf(plan) : null }
  },
  async list({ app, viewer }, { userId, planStatus, pulseDuration, owner }, query) {
    const view = await planView(app.db, viewer, userId)
    await scopeOfFilter(app.db, scopeOf(viewer), 'owner', owner)
    const filter = {
      enabled: planStatus === undefined ? undefined : planStatus === '1',
      pulsesMs: pulseDuration?.map((seconds) => Number(seconds) * 1000),
      ownerId: owner,
    }
    const page = await store.list(app.db, view, filter, query)
    return {
      ...page,
      rows: page.rows.map((row) => ({
        ...fieldsOf(row),
        planStatus: row.enabled ? 1 : 0,
        username: row.username,
        usedBy: row.usedBy,
      })),
    }
  },
  async choices({ app, viewer }, { userId }) {
    return (await choicesOf(app.db, viewer, userId)).map(fieldsOf)
  },
  async setStatus(ctx, { planId, planStatus }) {
    await setPlanStatus(ctx, planId, planStatus === 1)
    return { message: messages.success }
  },
  async delete(ctx, { planId }) {
    await deletePlan(ctx, planId)
    return { message: messages.success }
  },
}

function fieldsOf(plan: store.Plan) {
  return {
    planId: plan.id,
    planName: plan.name,
    pulseDuration: plan.pulseMs / 1000,
    pulsePrice: plan.pulsePaisa,
    smsPrice: plan.smsPaisa,
  }
}
