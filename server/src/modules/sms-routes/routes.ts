import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { createRoute, deleteRoute, updateRoute } from './actions.ts'
import { rowOf } from './rules.ts'
import * as store from './store.ts'

export const smsRouteHandlers: Handlers<'smsRoutes'> = {
  async list({ app }, _, query) {
    const page = await store.list(app.db, query)
    return { ...page, rows: page.rows.map(rowOf) }
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
