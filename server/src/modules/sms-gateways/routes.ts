import { messages } from '@ghanti/contract/messages.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { askTest, createGateway, deleteGateway, enableGateway, secretsIn, updateGateway } from './actions.ts'
import { detailOf, rowOf, testOf } from './rules.ts'
import * as store from './store.ts'

export const smsGatewayHandlers: Handlers<'smsGateways'> = {
  async list({ app }, filter, query) {
    const page = await store.list(app.db, filter, query)
    return { ...page, rows: page.rows.map(rowOf) }
  },
  async detail({ app }, { gatewayId }) {
    const gateway = await store.find(app.db, gatewayId)
    if (!gateway) throw new AppError('not_found')
    return detailOf(gateway, secretsIn(app, gateway.secrets_sealed), await store.receiptsOf(app.db, gatewayId))
  },
  async create(ctx, input) {
    return { message: messages.success, gatewayId: await createGateway(ctx, input) }
  },
  async update(ctx, input) {
    await updateGateway(ctx, input)
    return { message: messages.success }
  },
  async enable(ctx, { gatewayId, enabled }) {
    await enableGateway(ctx, gatewayId, enabled)
    return { message: messages.success }
  },
  async delete(ctx, { gatewayId }) {
    await deleteGateway(ctx, gatewayId)
    return { message: messages.success }
  },
  async test(ctx, input) {
    return { message: messages.success, testId: await askTest(ctx, input) }
  },
  async testResult({ app }, { testId }) {
    const test = await store.findTest(app.db, testId)
    if (!test) throw new AppError('not_found')
    return testOf(test)
  },
}
