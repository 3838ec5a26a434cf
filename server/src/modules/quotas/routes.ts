import type { Handlers } from '../../http/types.ts'
import { scopeOfPath } from '../../policy.ts'
import { quotasOfPlatform } from '../platform/actions.ts'
import * as store from './store.ts'

export const quotaHandlers: Handlers<'quotas'> = {
  async ofAccount({ app, viewer }, { userId }) {
    await scopeOfPath(app.db, viewer, userId)
    return { quotas: await quotasOfPlatform(app.db), used: await store.used(app.db, userId) }
  },
}
