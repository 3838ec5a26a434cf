import { operatorsOf } from '@ghanti/contract/sms-senders.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { createRoute, deleteRoute, updateRoute } from './actions.ts'
import * as store from './store.ts'

export const callRouteHandlers: Handlers<'callRoutes'> = {
  async list({ app }, _, query) {
    const page = await store.list(app.db, query)
    const withOperators = (row: (typeof page.rows)[number]) => ({
      ...row,
      steps: row.steps.map((step) => ({ ...step, operators: operatorsOf(step.operators ?? []) })),
    })
    return { ...page, rows: page.rows.map(withOperators) }
  },
  async create(ctx, input) {
    return { message: messages.success, routeId: await createRoute(ctx, input) }
  },
  async update(ctx, { routeId, ...way }) {
    await updateRoute(ctx, routeId, way)
    return { message: messages.success }
  },
  async delete(ctx, { routeId }) {
    await deleteRoute(ctx, routeId)
    return { message: messages.success }
  },
}
