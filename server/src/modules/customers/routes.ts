import type { Handlers } from '../../http/types.ts'
import { customerPage } from './actions.ts'

export const customerHandlers: Handlers<'customers'> = {
  async detail(ctx, { userId }) {
    return customerPage(ctx, userId)
  },
}
