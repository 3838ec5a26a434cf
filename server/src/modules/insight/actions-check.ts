import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { Db } from '../../db/db.ts'
import { raiseAlert } from '../alerts/actions.ts'
import { dayNumber } from './rules.ts'
import { platformAccount } from './store.ts'
import * as store from './store-agree.ts'
import { answerFaults, answerSumFaults } from './store-agree-answers.ts'

const dayMs = 24 * 3600_000
/** How much is compared at once: one or two seconds of reading. */
const slice = { campaigns: 200, attempts: 300_000 }

/**
 * Compares the counters with the calls of campaigns that ended within a day, and yesterday's counters of the platform with each other. Each
 * difference raises an alert.
 */
export async function checkCounters(db: Db, now: Date): Promise<string[]> {
  const ids = await store.endedCampaigns(db, slice)
  const day = dayNumber(nepalDayOf(new Date(now.getTime() - dayMs)))
  const [platform, yesterday] = [await platformAccount(db), { from: day, to: day }]
  const faults = [
    ...(ids.length > 0 ? [...(await store.countFaults(db, ids)), ...(await answerFaults(db, ids))] : []),
    ...(await store.sumFaults(db, platform, yesterday)),
    ...(await answerSumFaults(db, platform, yesterday)),
  ]
  for (const fault of faults) await raiseAlert(db, 'judge: counts', fault.split(':')[0] ?? fault, fault)
  return faults
}
