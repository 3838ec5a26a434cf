import { addDays } from '@ghanti/contract/days.ts'
import { instantOfNepalTime, nepalDayOf } from '@ghanti/contract/time.ts'
import { mintId } from '../../db/platform-accounts.ts'
import type { App } from '../../app.ts'
import { beginMonth, makePartitions } from '../../db/schema/partitions.ts'
import { writeProgress } from '../../voice/settle/progress.sql.ts'
import { countAll, forgetMinutes } from '../../modules/insight/actions-count.ts'
import type { People } from '../people.ts'
import { callsOf, type Called, type PastCalls } from './calls.ts'
import { messagesOf } from './messages.ts'
import { recharges } from './plan.ts'
import type { Preparing } from './prepare.ts'
import { stageCalls, writeCalls, writeCampaigns, writeRows, type Month } from './store-calls.ts'
import { beganThen, dateBack } from './store-dates.ts'
import { loadCalled, loadTexted } from './store-load.ts'
import { stageMessages, writeMessages, writeReceipts, writeSmsCampaigns } from './store-messages.ts'
import { writeMoney, type PastRecharge } from './store-money.ts'

/** How long ago the accounts were made. */
const daysOfHistory = 90
/** Any number: the same seed gives the same history, counted from today. */
export const seed = 2026

/** A composed voice campaign. `until`: when the last of its calls ended at the latest; `gapMs`: between two rows. */
export type PastVoice = { id: number; until: number; gapMs: number }
type Composed = { voices: readonly PastVoice[]; smsIds: readonly number[] }

/** Nepal's time at that hour, so many days ago. */
export function instantAt(now: Date, daysAgo: number, hour: number): Date {
  const at = instantOfNepalTime(`${addDays(nepalDayOf(now), -daysAgo)} ${String(hour).padStart(2, '0')}:00:00`)
  if (!at) throw new Error(`there is no hour ${hour}`)
  return at
}

/** Writes what the prepared campaigns did until now, in one transaction, and then adds it up for /insight as the product does. */
export async function writeHistory(app: App, people: People, at: Preparing, composed: Composed): Promise<void> {
  const now = app.clock.now()
  const called = await loadCalled(
    app.db,
    composed.voices.map(({ id }) => id),
  )
  const past = new Map<number, PastCalls>()
  for (const { id, until, gapMs } of composed.voices) past.set(id, callsOf(found(called, id), seed, { until, gapMs }))
  const messages = (await loadTexted(app.db, composed.smsIds)).flatMap((one) => messagesOf(one, seed))
  const months = monthsUntil(now)
  await at.owner.transaction().execute(async (tx) => {
    await dateBack(tx, instantAt(now, daysOfHistory, 9))
    await stageCalls(
      tx,
      [...past.values()].flatMap(({ calls }) => calls),
    )
    await stageMessages(tx, messages, at.gatewayId)
    for (const month of months) {
      await makePartitions(tx)
      await beginMonth(tx, month.from)
      await writeCalls(tx, month)
      await writeMessages(tx, month)
    }
    await beganThen(tx)
    await writeReceipts(tx)
    await writeMoney(tx, await pastRecharges(tx, people, now))
    await writeRows(
      tx,
      [...past.values()].flatMap(({ rows }) => rows),
    )
    await writeCampaigns(tx, new Map([...past].map(([id, { next }]) => [id, next])))
    await writeSmsCampaigns(tx)
  })
  await writeProgress(at.pool, [{ lease: at.lease, campaignIds: [...past.keys()] }])
  await countAll(app.db)
  await forgetMinutes(app.db)
}

function found(called: ReadonlyMap<number, Called>, id: number): Called {
  const one = called.get(id)
  if (!one) throw new Error(`campaign ${id} was not prepared`)
  return one
}

/** Nepal's months of the history, the oldest first; `to` is the first day of the next. */
function monthsUntil(now: Date): Month[] {
  const firstOf = (day: string): string => `${day.slice(0, 8)}01`
  const last = firstOf(nepalDayOf(now))
  const months: Month[] = []
  for (let from = firstOf(nepalDayOf(instantAt(now, daysOfHistory, 0))); from <= last;) {
    const to = firstOf(addDays(from, 31))
    months.push({ from, to })
    from = to
  }
  return months
}

async function pastRecharges(tx: Parameters<typeof mintId>[0], people: People, now: Date): Promise<PastRecharge[]> {
  const mint = await mintId(tx)
  return recharges.map(({ daysAgo, to, rupees, mode, reference }) => {
    const payee = people[to]
    const payer = Object.values(people).find(({ userId }) => userId === payee.parentId)
    if (!payer) throw new Error(`nobody pays ${to}`)
    return {
      at: instantAt(now, daysAgo, 14).toISOString(),
      payer_id: payer.role === 'superAdmin' ? mint : payer.userId,
      payee_id: payee.userId,
      paisa: rupees * 100,
      by_user_id: payer.userId,
      payment_mode: mode,
      reference,
    }
  })
}
