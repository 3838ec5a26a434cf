import { campaignsNowMax, type CallsNow } from '@ghanti/contract/overview.ts'
import type { App } from '../../app.ts'
import { scopeOf, type Viewer } from '../../policy.ts'
import { menusBeside } from '../answers/actions.ts'
import { campaignRows } from '../voice-campaigns/actions-read.ts'
import * as store from './store-now.ts'

/** What dials for an account now, or what dialled last. */
export async function callsNow(app: App, viewer: Viewer): Promise<CallsNow> {
  const { db } = app
  const scope = scopeOf(viewer)
  const isOwn = viewer.role === 'user'
  const { ids, ...sums } = await store.sumsNow(db, scope, isOwn ? 1 : campaignsNowMax)
  const lastId = ids.length === 0 ? await store.lastEnded(db, scope) : undefined
  const shownId = isOwn ? (ids[0] ?? lastId) : undefined
  const [rows, menus] = await Promise.all([
    campaignRows(db, lastId === undefined ? ids : [lastId]),
    shownId === undefined ? [] : menusBeside({ app, viewer }, shownId),
  ])
  return {
    ...sums,
    campaigns: lastId === undefined ? rows : [],
    last: lastId === undefined ? null : (rows[0] ?? null),
    menus,
  }
}
