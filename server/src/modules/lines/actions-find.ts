import { searchedDigits } from '@ghanti/contract/caller-id.ts'
import { findLettersMin, findMax, type Found } from '@ghanti/contract/find.ts'
import type { Ctx } from '../../http/types.ts'
import * as store from './store-list.ts'

export async function findClis({ app, viewer }: Ctx, search: string): Promise<Found['clis']> {
  if ((searchedDigits(search)?.ends.length ?? 0) < findLettersMin) return []
  const view: store.CliView =
    viewer.role === 'superAdmin' ? { kind: 'all' } : { kind: 'heldBy', accountId: viewer.userId }
  const { rows } = await store.list(app.db, viewer, view, { search, page: 1, pageSize: findMax })
  return rows.map(({ id, number }) => ({ cliId: id, cli: number }))
}
