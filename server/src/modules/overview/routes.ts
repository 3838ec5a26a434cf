import type { Handlers } from '../../http/types.ts'
import { ownOverview, platformOverview, resellerOverview } from './actions.ts'

export const overviewHandlers: Handlers<'overview'> = {
  own: (ctx) => ownOverview(ctx),
  reseller: (ctx) => resellerOverview(ctx),
  platform: (ctx) => platformOverview(ctx),
}
