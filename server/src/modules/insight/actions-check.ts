import { revenueId } from '../../db/platform-accounts.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { Db } from '../../db/db.ts'
import { raiseAlert } from '../alerts/actions.ts'
import { batchesOf, dayNumber } from './rules.ts'
import * as store from './store-agree.ts'
import { answerFaults, answerSumFaults } from './store-agree-answers.ts'

const dayMs = 24 * 3600_000
/** How many calls, or messages, are compared at once (one or two seconds of reading), and how many in one run. */
const usual = { rowsAtOnce: 300_000, rowsMax: 10_000_000 }

/**
 * Compares the counters with the calls and messages of campaigns that ended within a day, and yesterday's counters of the platform with each
 * other. Each difference raises an alert.
 */
export async function checkCounters(db: Db, now: Date, { rowsAtOnce, rowsMax } = usual): Promise<string[]> {
  const day = dayNumber(nepalDayOf(new Date(now.getTime() - dayMs)))
  const [platform, yesterday] = [await revenueId(db), { from: day, to: day }]
  const faults: string[] = []
  for (const ids of batchesOf(await store.endedCampaigns(db, rowsMax), rowsAtOnce))
    faults.push(...(await store.countFaults(db, ids)), ...(await answerFaults(db, ids)))
  for (const ids of batchesOf(await store.endedSmsCampaigns(db, rowsMax), rowsAtOnce))
    faults.push(...(await store.messageFaults(db, ids)))
  faults.push(...(await store.sumFaults(db, platform, yesterday)), ...(await answerSumFaults(db, platform, yesterday)))
  for (const fault of faults) await raiseAlert(db, 'judge: counts', fault.split(':')[0] ?? fault, fault)
  return faults
}
