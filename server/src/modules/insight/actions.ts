import { ownValue } from '@ghanti/contract/own-values.ts'
import { revenueId } from '../../db/platform-accounts.ts'
import {
  insightRowsMax,
  platformDimensions,
  singleCallLabels,
  type CallDimension,
  type CallInsight,
  type Grain,
  type insightRoutes,
  type MessageDimension,
  type MessageInsight,
} from '@ghanti/contract/insight.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import { operatorCode, operatorOfCode } from '@ghanti/contract/operators.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { InputOf } from '@ghanti/contract/route.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import { readBehind } from '../../db/servers/replica-reads.ts'
import { inTime } from '../../db/in-time.ts'
import type { Db } from '../../db/db.ts'
import { badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { forSuperAdmins, scopeOf, scopeOfFilter, scopeOfPath, type Viewer } from '../../policy.ts'
import { auditRead } from '../audit/actions.ts'
import { findVisible } from '../voice-campaigns/actions-read.ts'
import { daysBefore, daysOf, dayOfNumber, grainOf, requireBounded, timeOfBucket, type Days } from './rules.ts'
import * as figures from './rules-figures.ts'
import * as store from './store.ts'
import { answersByDay, answersByKey, answersKept, sharedKeyNames } from './store-answers.ts'
import { answersOfSingles, campaignRows } from './store-campaigns.ts'

type CallsInput = InputOf<typeof insightRoutes.calls>
type MessagesInput = InputOf<typeof insightRoutes.messages>
type Range = Pick<CallsInput, 'from' | 'to' | 'started'>

/** Every bounded query is faster than this; a slower one is cancelled. */
const longestMs = 10_000

/** Whose counters are read: for a super admin's own id the platform's, otherwise those of the account and all below it. */
async function ledgerOf({ app, viewer }: Ctx, userId: number) {
  await scopeOfPath(app.db, viewer, userId)
  const { role, username } = await store.accountOf(app.db, userId)
  if (role === 'superAdmin')
    return { accountId: await revenueId(app.db), ledgerRole: 'platform' as const, username: '' }
  return { accountId: userId, ledgerRole: role, username }
}

function requireSeen(viewer: Viewer, field: string, of: CallDimension | MessageDimension | undefined): void {
  if (of === undefined || viewer.role === 'superAdmin' || !platformDimensions.includes(of)) return
  throw forSuperAdmins(field)
}

function rangeAsked(asked: Range, by: Grain | undefined, now: Date): { days: Days; by: Grain } {
  const days = daysOf(asked, now)
  const grain = grainOf(days, by)
  const field = asked.from !== undefined ? 'from' : asked.to !== undefined ? 'to' : 'started'
  requireBounded(days, grain, { field, now })
  return { days, by: grain }
}

/** Filters can be combined only where the counters keep them together. */
function requireKept({ of, campaignId, ...asked }: CallsInput, by: Grain): void {
  const narrowed = (['operator', 'template', 'trunkId'] as const).find((key) => asked[key] !== undefined)
  if (narrowed && of !== undefined && !store.isOfHours(of))
    throw badField(
      of === 'campaign' ? narrowed : 'of',
      `cannot be combined with ${of === 'campaign' ? 'campaigns' : narrowed}`,
    )
  if (by === 'minute' && (asked.operator !== undefined || asked.template !== undefined))
    throw badField('by', 'must be hour or more of one operator or template')
  if (campaignId === undefined) return
  if (narrowed) throw badField(narrowed, 'cannot be combined with one campaign')
  if (of !== undefined) throw badField('of', 'cannot be combined with one campaign')
  if (by !== 'day') throw badField('by', 'must be day of one campaign')
}

async function givenUp<T>(db: Db, field: string, read: (db: Db) => Promise<T>): Promise<T> {
  const found = await inTime(db, longestMs, read)
  if (found === null) throw badField(field, 'is more than can be added up at once: choose fewer days', 'too_much')
  return found
}

const wireRange = (days: Days, by: Grain) => {
  const ends = ({ from, to }: Days) => ({ from: dayOfNumber(from), to: dayOfNumber(to) })
  return { ...ends(days), before: ends(daysBefore(days)), by }
}

type Row = { key: number }
/** The rows with the keys and names of the wire. A key without a name is shown as it is. */
async function labelled<R extends Row>(
  db: Db,
  what: 'calls' | 'messages',
  of: CallDimension | MessageDimension,
  rows: readonly R[],
): Promise<{ row: R; key: string; label: string }[]> {
  const names = await store.namesOf(
    db,
    what,
    of,
    rows.map(({ key }) => key),
  )
  return rows.map((row) => {
    const key = keyOf(of, row.key)
    return { row, key, label: names.get(row.key) ?? labelOf(of, key) }
  })
}

function keyOf(of: CallDimension | MessageDimension, key: number): string {
  if (of === 'operator') return operatorOfCode(key) ?? 'other'
  return of === 'agent' ? nationalOf(String(key)) : String(key)
}

function labelOf(of: CallDimension | MessageDimension, key: string): string {
  if (of === 'campaign') return ownValue(singleCallLabels, key) ?? key
  return of === 'template' ? (templates.find(({ id }) => String(id) === key)?.typeLabel ?? '') : key
}

type Question<Of> = { username: string; days: Days; by: Grain; of: Of | undefined }
type Kind<Of, Name extends string, Point, Figures> = {
  what: 'calls' | 'messages'
  sums: readonly Name[]
  series: (db: Db, days: Days) => Promise<(figures.Sums<Name> & { bucket: number })[]>
  rows: (db: Db, of: Of) => Promise<(figures.Sums<Name> & { key: number; keys: number })[]>
  pointOf: (time: string, sums: figures.Sums<Name>) => Point
  figuresOf: (sums: figures.Sums<Name>) => Figures
}

async function answerOf<
  Of extends CallDimension | MessageDimension,
  Name extends string,
  Point,
  Figures extends object,
>(
  db: Db,
  { username, days, by, of }: Question<Of>,
  { what, sums, series: readSeries, rows: readRows, pointOf, figuresOf }: Kind<Of, Name, Point, Figures>,
) {
  const { series, before, rows } = await givenUp(db, 'started', async (tx) => ({
    series: await readSeries(tx, days),
    before: await readSeries(tx, daysBefore(days)),
    rows: of ? await readRows(tx, of) : [],
  }))
  const pointsOf = (points: typeof series) => points.map((one) => pointOf(timeOfBucket(by, one.bucket), one))
  const total = (points: typeof series) => figuresOf(figures.added(sums, points))
  const named = of ? await labelled(db, what, of, rows) : []
  const reply = {
    username,
    ...wireRange(days, by),
    of: of ?? null,
    series: pointsOf(series),
    seriesBefore: pointsOf(before),
    totals: total(series),
    totalsBefore: total(before),
    rows: named.map(({ row, key, label }) => ({ key, label, ...figuresOf(row) })),
    rowsLeftOut: (rows[0]?.keys ?? 0) - rows.length,
  }
  return { reply, keys: rows.map(({ key }) => key) }
}

export async function callInsight(ctx: Ctx, asked: CallsInput): Promise<CallInsight> {
  const { app, viewer } = ctx
  const { accountId, ledgerRole, username } = await ledgerOf(ctx, asked.userId)
  const { of, campaignId, trunkId, operator, template } = asked
  requireSeen(viewer, 'of', of)
  requireSeen(viewer, 'trunkId', trunkId === undefined ? undefined : 'trunk')
  const { days, by } = rangeAsked(asked, asked.by, app.clock.now())
  requireKept(asked, by)
  if (campaignId !== undefined) {
    const scope = await scopeOfFilter(
      app.db,
      scopeOf(viewer),
      'userId',
      ledgerRole === 'platform' ? undefined : asked.userId,
    )
    if (!(await findVisible(app.db, scope, campaignId)))
      throw badField('campaignId', 'is not a campaign that you may see', 'not_found')
  }
  // Agents' numbers, of a whole tree alike: each account in it reads the line, since the counters above do not say whose they are.
  if (of === 'agent')
    await auditRead(ctx, { action: 'insight.agents', target: `user ${asked.userId}`, ownerId: asked.userId })
  const narrowed: store.CallsAsked = {
    accountId,
    isPlatform: ledgerRole === 'platform',
    campaignId,
    trunkId,
    operators: operator?.map((name) => operatorCode[name]),
    template: template === undefined ? undefined : Number(template),
  }
  const kind = {
    what: 'calls',
    sums: figures.callSums,
    series: (db: Db, range: Days) => store.callSeries(db, narrowed, range, by),
    rows: (db: Db, dimension: CallDimension) =>
      dimension === 'campaign'
        ? campaignRows(db, narrowed, days, insightRowsMax)
        : store.callRows(db, narrowed, days, dimension, insightRowsMax),
    pointOf: figures.callPointOf,
    figuresOf: (sums: figures.CallSums) => figures.callFiguresOf(sums, ledgerRole),
  } as const
  const { reply, keys, names, inRange, ofKeys } = await readBehind(app, async (db) => {
    const answer = await answerOf(db, { username, days, by, of }, kind)
    const isNamed = ledgerRole === 'user' || campaignId !== undefined
    const names: KeyLabels = isNamed ? await keyNamesRead(db, narrowed, days) : {}
    return { ...answer, names, ...(await answersRead(db, narrowed, { days, by, of, keys: answer.keys })) }
  })
  const rows = reply.rows.map((row, n) => {
    return { ...row, answers: ofKeys === null ? null : figures.answersOf(ofKeys.get(keys[n] ?? 0) ?? none) }
  })
  return { ...reply, rows, answers: inRange, keyLabels: names }
}

/** Of the range and the range before, as keys are shown of both. */
async function keyNamesRead(db: Db, asked: store.CallsAsked, days: Days): Promise<KeyLabels> {
  const both = { from: daysBefore(days).from, to: days.to }
  const named = await givenUp(db, 'started', (tx) => sharedKeyNames(tx, asked.accountId, both, asked))
  return Object.fromEntries(named.map(({ key, label }) => [key, label]))
}

const none = figures.added(figures.answerSums, [])

type AnswersAsked = { days: Days; by: Grain; of: CallDimension | undefined; keys: readonly number[] }

/** Keys and hang-ups of the range, and of each shown key of a dimension. Null where they are not kept. */
async function answersRead(db: Db, asked: store.CallsAsked, { days, by, of, keys }: AnswersAsked) {
  const kept = answersKept(asked)
  const before = daysBefore(days)
  return await givenUp(db, 'started', async (tx) => {
    const found = kept === null ? [] : await answersByDay(tx, asked.accountId, { from: before.from, to: days.to }, kept)
    const isKeptByKey = kept?.kind === 'all' && of !== undefined && of !== 'agent'
    const ofKeys = isKeptByKey ? await answersByKey(tx, asked.accountId, days, { kind: of, keys }) : null
    if (of === 'campaign' && keys.some((key) => ownValue(singleCallLabels, String(key)) !== undefined))
      for (const [key, sums] of await answersOfSingles(tx, asked, days)) ofKeys?.set(key, sums)
    const within = ({ from, to }: Days) => found.filter(({ day }) => day >= from && day <= to)
    const total = (range: Days) => figures.answersOf(figures.added(figures.answerSums, within(range)))
    const series = by === 'day' ? within(days) : []
    const inRange = {
      now: total(days),
      before: total(before),
      series: series.map(({ day, ...sums }) => ({ time: dayOfNumber(day), ...figures.answersOf(sums) })),
    }
    return { inRange: kept === null ? null : inRange, ofKeys }
  })
}

export async function messageInsight(ctx: Ctx, asked: MessagesInput): Promise<MessageInsight> {
  const { app, viewer } = ctx
  const { accountId, ledgerRole, username } = await ledgerOf(ctx, asked.userId)
  const { of, operator } = asked
  requireSeen(viewer, 'of', of)
  const { days, by } = rangeAsked(asked, asked.by, app.clock.now())
  if (operator !== undefined && of !== undefined) throw badField('of', 'cannot be combined with operator')
  const narrowed: store.MessagesAsked = { accountId, operators: operator?.map((name) => operatorCode[name]) }
  const kind = {
    what: 'messages',
    sums: figures.messageSums,
    series: (db: Db, range: Days) => store.messageSeries(db, narrowed, range, by),
    rows: (db: Db, dimension: MessageDimension) => store.messageRows(db, narrowed, days, dimension, insightRowsMax),
    pointOf: figures.messagePointOf,
    figuresOf: (sums: figures.MessageSums) => figures.messageFiguresOf(sums, ledgerRole),
  } as const
  return await readBehind(app, async (db) => (await answerOf(db, { username, days, by, of }, kind)).reply)
}
