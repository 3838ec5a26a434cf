import { findLettersMin, type Found } from '@ghanti/contract/find.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import * as store from './store-find.ts'

/** The newest of the campaigns that the viewer's list holds, by a part of the name or the id. */
export async function findCampaigns({ app, viewer }: Ctx, search: string): Promise<Found['campaigns']> {
  const words = search.trim().toLowerCase()
  const id = /^#?(\d{1,9})$/.exec(words)?.[1]
  const asked = { name: words.length < findLettersMin ? null : words, id: id === undefined ? null : Number(id) }
  return asked.name === null && asked.id === null ? [] : store.findCampaigns(app.db, scopeOf(viewer), asked)
}
