import { messages } from '@ghanti/contract/messages.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { addDisposition, removeDisposition } from './actions-dispositions.ts'
import { listDispositions } from './store-dispositions.ts'
import { findTrunk } from './store-trunks.ts'

export const trunkDispositionHandlers: Handlers<'trunkDispositions'> = {
  async list({ app }, { trunkId }, query) {
    if (!(await findTrunk(app.db, trunkId))) throw new AppError('not_found')
    const page = await listDispositions(app.db, trunkId, query)
    return {
      ...page,
      rows: page.rows.map(({ id, sip_status, q850_cause, disposition, sign }) => ({
        dispositionId: id,
        sipStatus: sip_status,
        q850Cause: q850_cause,
        disposition,
        sign,
      })),
    }
  },
  async add(ctx, input) {
    return { message: messages.success, dispositionId: await addDisposition(ctx, input) }
  },
  async delete(ctx, { dispositionId }) {
    await removeDisposition(ctx, dispositionId)
    return { message: messages.success }
  },
}
