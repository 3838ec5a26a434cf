import type { Tx } from '../../db/db.ts'
import { AppError, badField, conflict } from '../../errors.ts'
import { eachOf } from '../../http/replies/bulk.ts'
import type { Ctx } from '../../http/types.ts'
import type { Viewer } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { allocationProblems, isGivenBy, usedBy, withAllPassedOn, type AllocationRow } from './rules.ts'
import * as store from './store-clis.ts'

/**
 * All rows or none. The super admin allocates to anyone; a reseller passes on what it holds to direct children (docs/api.md#caller-ids).
 */
export async function allocate(ctx: Ctx, rows: readonly AllocationRow[]): Promise<void> {
  await ctx.app.db.transaction().execute((tx) => allocateIn(tx, ctx, rows, (field) => field))
}

/** The first caller IDs of an account that this transaction has created below the viewer. A refusal names `clis.0`. */
export async function giveFirstClis(tx: Tx, ctx: Ctx, userId: number, cliIds: readonly number[]): Promise<void> {
  if (cliIds.length === 0) return
  const rows = cliIds.map((cliId) => ({ cliId, userId }))
  await allocateIn(tx, ctx, rows, (field) => field.replace(/^cliRows\.(\d+)\.cliId$/, 'clis.$1'))
}

async function allocateIn(
  tx: Tx,
  ctx: Ctx,
  rows: readonly AllocationRow[],
  named: (field: string) => string,
): Promise<void> {
  const { viewer } = ctx
  const wanted = (ids: readonly (number | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))]
  const parentId = viewer.role === 'superAdmin' ? null : viewer.userId
  const takers = await store.holdTakers(tx, wanted(rows.map(({ userId }) => userId)), parentId)
  const locked = await store.lockClis(tx, wanted(rows.map(({ cliId }) => cliId)))
  const clis = new Map(locked.map((cli) => [cli.id, cli]))
  const holdings = await store.holdingsOf(tx, [...clis.keys()])
  const problems = allocationProblems(rows, { giver: viewer, clis, holdings, takers })
  if (problems.length > 0) {
    const errors = problems.map(({ field, code, text }) => ({ field: named(field), code, text }))
    throw new AppError(problems.every(({ isConflict }) => isConflict) ? 'conflict' : 'bad_input', errors)
  }
  const given = rows.flatMap(({ cliId, userId }) =>
    cliId === undefined || userId === undefined ? [] : [{ cliId, accountId: userId, givenBy: viewer.userId }],
  )
  await store.insertHoldings(tx, given)
  for (const { cliId, accountId } of given)
    await audit(tx, ctx, 'cli.allocate', `cli ${cliId}`, { cli: clis.get(cliId)?.number, userId: accountId })
}

/**
 * Takes a CLI back together with everything passed on from there. `userId` is needed when there are several holders. Returns who lost it.
 */
export async function deallocate(ctx: Ctx, cliId: number, userId: number | undefined): Promise<readonly number[]> {
  const { viewer } = ctx
  return await ctx.app.db.transaction().execute(async (tx) => {
    const { cli, holdings } = await requireOwn(tx, viewer, cliId)
    const given = holdings.filter((holding) => isGivenBy(viewer, holding))
    const from =
      userId === undefined ? theOnlyOne(given) : holderOf(viewer.role === 'superAdmin' ? holdings : given, userId)
    const ended = await end(tx, cliId, holdings, from)
    await audit(tx, ctx, 'cli.deallocate', `cli ${cliId}`, { cli, userId: from, ended })
    return ended
  })
}

/**
 * Ends several allocations that the viewer gave (a super admin: any); others do not exist for the viewer. One that already ended with
 * another of them counts as done.
 */
export async function deallocateMany(ctx: Ctx, allocationIds: number[]) {
  const { app, viewer } = ctx
  const holdings = new Map((await store.holdingsById(app.db, allocationIds)).map((holding) => [holding.id, holding]))
  const lost = new Set<string>()
  return await eachOf(ctx, allocationIds, async (id) => {
    const holding = holdings.get(id)
    if (!holding || !(viewer.role === 'superAdmin' || isGivenBy(viewer, holding))) throw new AppError('not_found')
    const { cliId, accountId } = holding
    if (lost.has(`${cliId} ${accountId}`)) return
    for (const ended of await deallocate(ctx, cliId, accountId)) lost.add(`${cliId} ${ended}`)
  })
}

export async function giveBack(ctx: Ctx, cliId: number): Promise<void> {
  const { viewer } = ctx
  await ctx.app.db.transaction().execute(async (tx) => {
    const { cli, holdings } = await requireOwn(tx, viewer, cliId)
    const ended = await end(tx, cliId, holdings, viewer.userId)
    await audit(tx, ctx, 'cli.give_back', `cli ${cliId}`, { cli, ended })
  })
}

/**
 * For an account about to be deleted, without unfinished campaigns: returns every CLI it holds or passed on, and their numbers. Waits for
 * campaigns being composed with one of them.
 */
export async function giveBackClis(tx: Tx, accountId: number): Promise<string[]> {
  const clis = await store.lockClis(tx, await store.clisHeldBy(tx, accountId))
  const holdings = await store.holdingsOf(
    tx,
    clis.map(({ id }) => id),
  )
  for (const { id } of clis) await store.deleteHoldings(tx, id, withAllPassedOn(holdings, id, accountId))
  return clis.map(({ number }) => number)
}

/** The locked CLI with its holders; throws 404 when it does not exist or a reseller or user does not hold it. */
async function requireOwn(tx: Tx, viewer: Viewer, cliId: number): Promise<{ cli: string; holdings: store.Holding[] }> {
  const [cli] = await store.lockClis(tx, [cliId])
  const holdings = cli ? await store.holdingsOf(tx, [cliId]) : []
  const isTheirs = viewer.role === 'superAdmin' || holdings.some(({ accountId }) => accountId === viewer.userId)
  if (!cli || !isTheirs) throw new AppError('not_found')
  return { cli: cli.number, holdings }
}

function theOnlyOne(given: readonly store.Holding[]): number {
  const [first, ...others] = given
  if (!first) throw conflict('cliId', 'is allocated to nobody', 'not_allocated')
  if (others.length > 0) throw badField('userId', 'is required: several accounts hold it', 'required')
  return first.accountId
}

function holderOf(holdings: readonly store.Holding[], userId: number): number {
  if (!holdings.some(({ accountId }) => accountId === userId))
    throw badField('userId', 'does not hold it from you', 'not_found')
  return userId
}

/** Ends a holding and all derived from it, unless one of these accounts has a campaign that may still call from it. */
async function end(
  tx: Tx,
  cliId: number,
  holdings: readonly store.Holding[],
  accountId: number,
): Promise<readonly number[]> {
  const ended = withAllPassedOn(holdings, cliId, accountId)
  const use = usedBy(await store.unfinishedFrom(tx, [cliId], ended))
  if (use !== null) throw conflict('cliId', use, 'in_use')
  await store.deleteHoldings(tx, cliId, ended)
  return ended
}
