import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import {
  createRepeat,
  daysOf,
  deleteRepeat,
  endRepeat,
  nextDaysOf,
  pauseRepeat,
  repeatOf,
  repeatsOf,
  resumeRepeat,
} from './actions.ts'

export const repeatHandlers: Handlers<'repeats'> = {
  async list(ctx) {
    return await repeatsOf(ctx)
  },
  async detail(ctx, { repeatId }) {
    return await repeatOf(ctx, repeatId)
  },
  async days(ctx, { repeatId }, query) {
    return await daysOf(ctx, repeatId, query)
  },
  async next(ctx, rule) {
    return await nextDaysOf(ctx, rule)
  },
  async create(ctx, asked) {
    return { message: messages.success, repeatId: await createRepeat(ctx, asked) }
  },
  async pause(ctx, { repeatId }) {
    await pauseRepeat(ctx, repeatId)
    return { message: messages.success }
  },
  async resume(ctx, { repeatId }) {
    await resumeRepeat(ctx, repeatId)
    return { message: messages.success }
  },
  async end(ctx, { repeatId }) {
    await endRepeat(ctx, repeatId)
    return { message: messages.success }
  },
  async delete(ctx, { repeatId }) {
    await deleteRepeat(ctx, repeatId)
    return { message: messages.success }
  },
}
