import { revenueId } from '../../db/platform-accounts.ts'
import { customerMonths, type Customer, type Lasts } from '@ghanti/contract/customers.ts'
import { shareOf } from '@ghanti/contract/insight-figures.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nepalDayOf } from '@ghanti/contract/time.ts'
import type { Db } from '../../db/db.ts'
import { dayNumber } from './rules.ts'
import { lastingBackDays, lastingDays, lastsOf, monthDays, monthsUpTo } from './rules-money.ts'
import * as store from './store-money.ts'

const todayOf = (now: Date) => dayNumber(nepalDayOf(now))

export async function lasting(db: Db, accountId: number, freePaisa: number, now: Date): Promise<Lasts> {
  const yesterday = todayOf(now) - 1
  const days = { from: yesterday - lastingBackDays + 1, to: yesterday }
  const spent = await store.lastDaysSpent(db, accountId, days, lastingDays)
  return lastsOf(
    freePaisa,
    spent.map(({ paisa }) => paisa),
  )
}

/** The last months of an account, with the margin that it left to the account above. `aboveId` null: the platform. */
export async function monthsOfCustomer(
  db: Db,
  customer: { userId: number; aboveId: number | null },
  now: Date,
): Promise<Customer['months']> {
  const { months, days } = monthsUpTo(todayOf(now), customerMonths)
  const aboveId = customer.aboveId ?? (await revenueId(db))
  const [sums, margins] = await Promise.all([
    store.monthsOf(db, customer.userId, days),
    store.marginsOf(db, aboveId, customer.userId, days),
  ])
  return months.map((month) => {
    const of = sums.find((one) => one.month === month)
    const margin = margins.find((one) => one.month === month)?.paisa ?? 0
    const { calls = 0, answered = 0, messages = 0, paisa = 0 } = of ?? {}
    return { month, calls, answered, messages, spend: rupeesOf(paisa), margin: rupeesOf(margin) }
  })
}

export async function moneyOfMonth(db: Db, accountId: number, now: Date, most: number) {
  const { now: days, before } = monthDays(todayOf(now))
  const [month, last, customers] = await Promise.all([
    store.marginIn(db, accountId, days),
    store.marginIn(db, accountId, before),
    store.payingMost(db, accountId, days, most),
  ])
  return {
    month: { margin: rupeesOf(month.margin), before: rupeesOf(last.margin), paid: rupeesOf(month.paid) },
    customers: customers.map((one) => {
      return { ...one, today: rupeesOf(one.today), month: rupeesOf(one.month), margin: rupeesOf(one.margin) }
    }),
  }
}

export async function trunksToday(db: Db, now: Date): Promise<Map<number, { calls: number; asr: number | null }>> {
  const sums = await store.trunksOn(db, await revenueId(db), todayOf(now))
  return new Map(
    sums.map(({ trunkId, calls, cancelled, answered }) => [
      trunkId,
      { calls, asr: shareOf(answered, calls - cancelled) },
    ]),
  )
}
