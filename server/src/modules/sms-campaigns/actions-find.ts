import type { FoundCampaign } from '@ghanti/contract/find.ts'
import type { Db } from '../../db/db.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import * as store from './store-find.ts'

export function findSmsCampaigns({ app, viewer }: Ctx, search: string): Promise<FoundCampaign[]> {
  return store.findCampaigns(app.db, scopeOf(viewer), search)
}

/** Campaigns whose column values await a super admin's decision, counted up to 100. */
export function waitingValues(db: Db): Promise<number> {
  return store.countUndecided(db)
}
