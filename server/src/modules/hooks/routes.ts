import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import * as actions from './actions.ts'
import { eventsAfter } from './actions-events.ts'

const message = messages.success

export const hookHandlers: Handlers<'hooks'> = {
  list: (ctx) => actions.ownHooks(ctx),
  create: async (ctx, input) => ({ message, ...(await actions.makeHook(ctx, input)) }),
  async update(ctx, input) {
    await actions.changeHook(ctx, input)
    return { message }
  },
  test: async (ctx, { hookId }) => ({ message, deliveryId: await actions.testHook(ctx, hookId) }),
  rotate: async (ctx, { hookId }) => ({ message, ...(await actions.rotateSecret(ctx, hookId)) }),
  replay: async (ctx, input) => ({ message, deliveries: await actions.sendAgain(ctx, input) }),
  async delete(ctx, { hookId }) {
    await actions.deleteHook(ctx, hookId)
    return { message }
  },
  deliveries: (ctx, input) => actions.deliveriesOf(ctx, input),
  events: (ctx, { after }) => eventsAfter(ctx, after ?? 0),
}
