import type { Handlers } from '../../http/types.ts'
import { ownOverview, platformOverview, resellerOverview, startOverview } from './actions.ts'

export const overviewHandlers: Handlers<'overview'> = {
  own: (ctx) => ownOverview(ctx),
  start: ({ app, viewer }) => startOverview(app, viewer),
  reseller: (ctx) => resellerOverview(ctx),
  platform: (ctx) => platformOverview(ctx),
}
