import { messages } from '@ghanti/contract/messages.ts'
import type { Handlers } from '../../http/types.ts'
import { createContract, deleteContract, updateContract } from './actions.ts'
import * as store from './store.ts'

export const contractHandlers: Handlers<'contracts'> = {
  async list({ app }, _, query) {
    return store.list(app.db, query)
  },
  async create(ctx, input) {
    return { message: messages.success, contractId: await createContract(ctx, input) }
  },
  async update(ctx, { contractId, ...contract }) {
    await updateContract(ctx, contractId, contract)
    return { message: messages.success }
  },
  async delete(ctx, { contractId }) {
    await deleteContract(ctx, contractId)
    return { message: messages.success }
  },
}
