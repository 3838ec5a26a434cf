import { findLettersMin, type Found } from '@ghanti/contract/find.ts'
import type { Ctx } from '../../http/types.ts'
import { scopeOf } from '../../policy.ts'
import * as store from './store-find.ts'

export async function findUsers({ app, viewer }: Ctx, search: string): Promise<Found['users']> {
  if (viewer.role === 'user' || search.trim().length < findLettersMin) return []
  return store.findUsers(app.db, scopeOf(viewer), viewer.userId, search)
}
