import { storedKeyLabels } from '@ghanti/contract/key-labels.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import type { Db } from '../../db/db.ts'
import * as store from './store-flow.ts'

/** The names of keys of each of these campaigns that has any. Apart from the other actions, because threads that write files need little else. */
export async function keyLabelsOf(db: Db, campaignIds: Iterable<number>): Promise<Map<number, KeyLabels>> {
  const ids = [...new Set(campaignIds)]
  const stored = ids.length === 0 ? [] : await store.keyLabels(db, ids)
  return new Map(Array.from(stored, ([id, labels]) => [id, storedKeyLabels(labels)]))
}
