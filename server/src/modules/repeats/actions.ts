import { calendarDaysMax, type CalendarRepeat } from '@ghanti/contract/calendar.ts'
import type { InputOf, ListQuery, ReplyOf } from '@ghanti/contract/route.ts'
import {
  nextDaysShown,
  repeatsMax,
  type Repeat,
  type RepeatDay,
  type repeatRoutes,
  type RepeatRule,
} from '@ghanti/contract/repeats.ts'
import { addDays } from '@ghanti/contract/days.ts'
import { comingDay, dayFrom, daysFrom } from '@ghanti/contract/repeat-days.ts'
import { campaignStatusCode } from '@ghanti/contract/campaign-status.ts'
import * as z from 'zod/mini'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import type { Ctx, Page } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { countDue } from '../contacts/actions-due.ts'
import { refuseUnknown, requireBase, type Base } from '../contacts/actions.ts'
import { storedOrders } from '../contacts/rules-dates.ts'
import { minutesOf } from '../platform/rules-hours.ts'
import { transactionWithAgents } from '../voice-compose/actions-agents.ts'
import { requireComposable } from '../voice-compose/actions.ts'
import { inputOf, storedFaults } from './actions-run.ts'
import { composedAt, ruleProblems, words } from './rules.ts'
import * as store from './store.ts'

export async function repeatsOf({ app, viewer }: Ctx): Promise<Repeat[]> {
  return (await store.list(app.db, viewer.userId)).map(wireOf)
}

const Shown = z.object({
  templateId: z.catch(z.nullable(z.number()), null),
  cli: z.catch(z.nullable(z.string()), null),
})

/** Stored fields may have been written by a release that read more than this one: they are a fault of their row, not of the list. */
function wireOf(row: store.Listed): Repeat {
  const { id, name, state, base_id: baseId, lastDay, lastOutcome, fields, account_id: _, ...shown } = row
  const faults = storedFaults({ ...(fields as object), campaignName: name, baseId })
  const last = lastDay === null || lastOutcome === null ? null : { day: lastDay, outcome: lastOutcome }
  const { templateId, cli } = Shown.parse(fields)
  return {
    ...shown,
    repeatId: id,
    repeatName: name,
    repeatState: state,
    baseId,
    templateId,
    cli,
    lastDay: last,
    faults: faults.map(({ field, text }) => ({ field, text })),
  }
}

export async function repeatOf(ctx: Ctx, repeatId: number): Promise<ReplyOf<typeof repeatRoutes.detail>> {
  const row = await store.find(ctx.app.db, ctx.viewer.userId, repeatId)
  if (!row) throw new AppError('not_found')
  const nextDays = daysFrom(ruleOf(row), row.nextDay, nextDaysShown)
  return { ...wireOf(row), nextDays: nextDays.map((day) => ({ day, rows: null })) }
}

function ruleOf({ column, ...row }: store.Repeating): RepeatRule {
  const { rule, weekdays, offsetDays, time, fromDay, untilDay } = row
  return { rule, weekdays, offsetDays, time, fromDay, untilDay, ...(column !== null && { column }) }
}

export async function daysOf({ app, viewer }: Ctx, repeatId: number, query: ListQuery): Promise<Page<RepeatDay>> {
  if (!(await store.find(app.db, viewer.userId, repeatId))) throw new AppError('not_found')
  const { rows, ...page } = await store.days(app.db, repeatId, query)
  const shown = rows.map(({ errors, campaignStatus, ...row }) => ({
    ...row,
    campaignStatus: campaignStatus === null ? null : campaignStatusCode[campaignStatus],
    reasons: errors.map(({ field, text }) => ({ field, text })),
  }))
  return { ...page, rows: shown }
}

/** Days of the account's repeating campaigns that are still to be composed, by day and time, as many as a calendar shows. */
export async function repeatsBetween(db: Db, accountId: number, from: string, to: string): Promise<CalendarRepeat[]> {
  const active = await store.activeBefore(db, accountId, to)
  return active
    .flatMap((row) => {
      const rule = ruleOf(row)
      const { id: repeatId, name: repeatName, time, nextDay } = row
      const first = nextDay === null ? null : dayFrom(rule, nextDay > from ? nextDay : from)
      const byColumn = rule.rule === 'column'
      return daysFrom(rule, first, calendarDaysMax)
        .filter((day) => day <= to)
        .map((day) => ({ repeatId, repeatName, day, time, byColumn }))
    })
    .toSorted((a, b) => `${a.day} ${a.time}`.localeCompare(`${b.day} ${b.time}`))
}

type NextInput = InputOf<typeof repeatRoutes.next>

/** The days that a rule would compose on. A rule by column reads the file, and leaves out days on which no row is due. */
export async function nextDaysOf(ctx: Ctx, { baseId, ...rule }: NextInput): Promise<ReplyOf<typeof repeatRoutes.next>> {
  const { app, viewer } = ctx
  const now = app.clock.now()
  const base = await app.db.transaction().execute((tx) => requireRule(tx, ctx, rule, baseId, 0))
  const first = comingDay(rule, now)
  if (rule.column === undefined || rule.rule !== 'column' || first === null)
    return { days: daysFrom(rule, first, nextDaysShown).map((day) => ({ day, rows: null })), unreadable: null }
  const { column, offsetDays, untilDay: last } = rule
  const { counts, unreadable } = await app.workLimits.run(app.db, 'previews', viewer.userId, () =>
    countDue(app, base, { column, offsetDays, first, last }),
  )
  const days = [...counts].toSorted(([a], [b]) => a.localeCompare(b)).map(([day, rows]) => ({ day, rows }))
  return { days: days.slice(0, nextDaysShown), unreadable }
}

/** Returns the contact file. Throws when it or the rule has faults. */
async function requireRule(tx: Tx, ctx: Ctx, rule: RepeatRule, baseId: number, templateId: number): Promise<Base> {
  const problems = new Problems()
  const base = await problems.of(() => requireBase(tx, ownScope(ctx.viewer), baseId, templateId))
  problems.add(ruleProblems(rule, base?.columns, ctx.app.clock.now()))
  const { column } = rule
  if (base && column !== undefined) await problems.of(async () => refuseUnknown(storedOrders(base), [column], 'column'))
  problems.refuseIfAny()
  if (!base) throw new Error('a rule passed its checks without a contact file')
  return base
}

type CreateInput = InputOf<typeof repeatRoutes.create>

/** Makes every check of compose now, so that what could never be composed is refused at once. */
export function createRepeat(ctx: Ctx, { repeatName: name, setupId, baseId, ...rule }: CreateInput): Promise<number> {
  const { app, viewer } = ctx
  const { userId } = viewer
  const now = app.clock.now()
  return transactionWithAgents(ctx, async (tx) => {
    await store.lockAccount(tx, userId)
    const setup = await store.setupFields(tx, userId, setupId)
    if (!setup) throw badField('setupId', words.noSetup, 'not_found')
    const problems = new Problems()
    const input = await problems.of(async () => inputOf({ ...(setup.fields as object), campaignName: name, baseId }))
    await problems.of(() => requireRule(tx, ctx, rule, baseId, 0))
    problems.refuseIfAny()
    if (!input) throw new Error('a repeating campaign passed its checks without its required input')
    const day = comingDay(rule, now)
    if (day === null) throw badField('untilDay', words.noDays)
    await requireComposable(tx, ctx, { ...input, campaignName: `${name} ${day}` })
    if ((await store.count(tx, userId)) >= repeatsMax) throw conflict('repeatName', words.tooMany, 'quota')
    if (await store.nameTaken(tx, userId, name)) throw conflict('repeatName', words.taken, 'taken')
    const repeatId = await store.insert(tx, {
      ...rule,
      accountId: userId,
      name,
      fields: setup.fields as object,
      baseId,
      weekdays: rule.rule === 'weekly' ? [...new Set(rule.weekdays)].toSorted() : [],
      column: rule.rule === 'column' ? (rule.column ?? null) : null,
      atMinute: minutesOf(rule.time),
      nextDay: day,
      nextAt: composedAt(day, rule.time),
      at: now,
    })
    await audit(tx, ctx, 'repeat.create', `repeat ${repeatId}`, { name, baseId, from: rule.fromDay, to: rule.untilDay })
    return repeatId
  })
}

/** Changes one of the viewer's; a job that composes waits until it is done, and then finds what was changed. */
function change(ctx: Ctx, repeatId: number, action: string, to: (tx: Tx, one: store.Repeating) => Promise<void>) {
  const { app, viewer } = ctx
  return app.db.transaction().execute(async (tx) => {
    const one = await store.lockOwn(tx, viewer.userId, repeatId)
    if (!one) throw new AppError('not_found')
    await to(tx, one)
    await audit(tx, ctx, `repeat.${action}`, `repeat ${repeatId}`, { name: one.name })
  })
}

const refuse = (text: string) => conflict('repeatId', text, 'status')

export function pauseRepeat(ctx: Ctx, repeatId: number): Promise<void> {
  return change(ctx, repeatId, 'pause', async (tx, { state }) => {
    if (state !== 'active') throw refuse(words.isNot(state, 'paused'))
    await store.move(tx, repeatId, { state: 'paused' })
  })
}

/** Days that passed meanwhile are not made up for. */
export function resumeRepeat(ctx: Ctx, repeatId: number): Promise<void> {
  return change(ctx, repeatId, 'resume', async (tx, one) => {
    if (one.state !== 'paused') throw refuse(words.isNot(one.state, 'resumed'))
    const day = await comingFree(tx, ctx, one)
    if (day === null) throw refuse(words.over)
    await store.move(tx, repeatId, { state: 'active', day, at: composedAt(day, one.time) })
  })
}

/** Its next day that has no campaign yet: one may have been composed ahead of its time, before the pause. */
async function comingFree(tx: Tx, ctx: Ctx, one: store.Repeating): Promise<string | null> {
  const rule = ruleOf(one)
  const day = comingDay(rule, ctx.app.clock.now())
  const last = await store.lastDay(tx, one.id)
  if (day === null || last === undefined || last < day) return day
  return dayFrom(rule, addDays(last, 1))
}

export function endRepeat(ctx: Ctx, repeatId: number): Promise<void> {
  return change(ctx, repeatId, 'end', async (tx, { state }) => {
    if (state === 'ended') throw refuse(words.isNot(state, 'ended'))
    await store.move(tx, repeatId, { state: 'ended' })
  })
}

export function deleteRepeat(ctx: Ctx, repeatId: number): Promise<void> {
  return change(ctx, repeatId, 'delete', async (tx, { state }) => {
    if (state !== 'ended') throw refuse(words.notEnded)
    await store.remove(tx, repeatId)
  })
}
