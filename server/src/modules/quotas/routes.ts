import type { Handlers } from '../../http/types.ts'
import { scopeOfPath } from '../../policy.ts'
import { storedOf } from './actions.ts'

export const quotaHandlers: Handlers<'quotas'> = {
  async ofAccount({ app, viewer }, { userId }) {
    await scopeOfPath(app.db, viewer, userId)
    return storedOf(app.db, userId)
  },
}
