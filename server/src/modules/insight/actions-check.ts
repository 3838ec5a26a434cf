import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { Db } from '../../db/db.ts'
import { raiseAlert } from '../alerts/actions.ts'
import { dayNumber } from './rules.ts'
import { platformAccount } from './store.ts'
import * as store from './store-agree.ts'

const dayMs = 24 * 3600_000
/** What is compared at once: a second or two of reading. */
const slice = { campaigns: 200, attempts: 300_000 }

/** Compares the counters with the calls of campaigns that ended within a day, and the platform's counters of yesterday with each other. What differs raises an alert each. */
export async function checkCounters(db: Db, now: Date): Promise<string[]> {
  const ids = await store.endedCampaigns(db, slice)
  const yesterday = dayNumber(nepalDayOf(new Date(now.getTime() - dayMs)))
  const faults = [
    ...(ids.length > 0 ? await store.countFaults(db, ids) : []),
    ...(await store.sumFaults(db, await platformAccount(db), { from: yesterday, to: yesterday })),
  ]
  for (const fault of faults) await raiseAlert(db, 'judge: counts', fault.split(':')[0] ?? fault, fault)
  return faults
}
