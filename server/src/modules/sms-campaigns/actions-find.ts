import type { FoundCampaign } from '@ghanti/contract/find.ts'
import type { Db } from '../../db/db.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import * as store from './store-find.ts'

/** The newest of the SMS campaigns that the viewer's list holds, by a part of the name or the id. */
export function findSmsCampaigns({ app, viewer }: Ctx, search: string): Promise<FoundCampaign[]> {
  return store.findCampaigns(app.db, scopeOf(viewer), search)
}

/** Campaigns on whose columns a super admin is to decide, counted to 100. */
export function waitingValues(db: Db): Promise<number> {
  return store.countUndecided(db)
}
