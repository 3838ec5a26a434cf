import type { FaultCode } from '@ghanti/contract/error-codes.ts'
import { connectFlow, type Flow } from '@ghanti/callflow/flow.ts'
import type { Followup } from '@ghanti/contract/followups.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { audit } from '../audit/actions.ts'
import { blacklistsHold } from '../blacklist/actions.ts'
import { actAs } from '../campaigns/actions-state.ts'
import { balanceOf, priceChain, type PriceLevel } from '../credits/actions.ts'
import { withFiles } from '../files/actions.ts'
import { requireActiveCli, type ActiveLine } from '../lines/actions.ts'
import { startWords } from '../platform/rules-words.ts'
import { requireAgentFree, requireFree } from '../test-calls/actions.ts'
import { startOn, wayOf } from '../voice-compose/actions-start.ts'
import { insertSingleCalls } from '../voice-compose/actions-single.ts'
import { reservePaisa } from '../voice-compose/rules-estimate.ts'
import { agentOf, followupOf, nameOfFollowup } from './rules.ts'
import * as store from './store.ts'

/** Someone is waiting at the telephone, so a call that has not started by then is not placed. */
const beginWithinMs = 60_000
const agentRingSeconds = 25

type Way = { line: ActiveLine; chain: readonly PriceLevel[] }

/**
 * Calls the agent of the call, or the number in the caller's profile, and connects the customer: a campaign of its own, charged and checked
 * like any other.
 */
export async function beginFollowup(ctx: Ctx, attemptId: number): Promise<number> {
  const { app, viewer } = ctx
  return await withFiles(app, async (tx) => {
    await store.lockFollowups(tx, viewer.userId)
    const call = await store.findCall(tx, ownScope(viewer), attemptId)
    if (!call) throw new AppError('not_found')
    if (call.phone === 0) throw refused('cannot be called: its number was deleted with its campaign', 'deleted')
    if (await store.isUnderWay(tx, viewer.userId))
      throw refused('must wait: another Call Now of yours is under way', 'too_many')
    const agent = agentOf(call)
    if (typeof agent !== 'string') throw new AppError('conflict', [agent])
    const customer = `+${call.phone}`
    const flow = connectFlow({ agent, customer, language: call.language })
    const way = await requireWay(ctx, tx, call.cli_id, flow)
    await requireNumbers(tx, viewer.userId, agent, customer)
    const followupId = await insertSingleCalls(tx, app, {
      ownerId: viewer.userId,
      name: nameOfFollowup(call),
      numbers: [nationalOf(String(call.phone))],
      values: {},
      ...way,
      flow,
      now: app.clock.now(),
      beginWithinMs,
      ringSeconds: agentRingSeconds,
      of: call.campaign_id,
      isCallNow: true,
      field: 'callUID',
    })
    await audit(tx, ctx, 'call.followup', `campaign ${followupId}`, { attempt: attemptId })
    return followupId
  })
}

const refused = (text: string, code: FaultCode): AppError => conflict('callUID', text, code)

/** Line, prices and money for the call now; throws when it cannot start. */
async function requireWay({ app, viewer }: Ctx, tx: Tx, cliId: number, flow: Flow): Promise<Way> {
  const line = await requireActiveCli(tx, viewer.userId, cliId)
  const chain = await priceChain(tx, viewer.userId)
  const [level] = chain
  if (!level) throw new Error('an account without a chain of payers')
  const now = app.clock.now()
  const way = await wayOf(tx, line.cliId, chain)
  const dialUntil = new Date(now.getTime() + beginWithinMs)
  const { reasons } = await startOn(tx, { line, chain, way, wanted: now, now, dialUntil })
  const [first] = reasons
  if (first) throw refused(`cannot be called: ${first.text}`, first.cause)
  const payers = chain.map(({ payerId }) => payerId)
  if (await store.isChannelShort(tx, payers)) throw refused(`cannot be called: ${startWords.accountsBusy}`, 'channels')
  const reserve = reservePaisa(flow, level)
  const { paisa, reservedPaisa } = await balanceOf(tx, viewer.userId)
  const free = paisa - reservedPaisa
  if (free < reserve) throw refused(`cannot be called: ${startWords.lowBalance(reserve, free)}`, 'credits')
  return { line, chain }
}

/** What the claim will check again: neither number is blacklisted, is in a call or was called too often today. */
async function requireNumbers(tx: Tx, ownerId: number, agent: string, customer: string): Promise<void> {
  if (await blacklistsHold(tx, ownerId, Number(customer.slice(1)))) throw refused('is on a blacklist', 'blacklist')
  if (await blacklistsHold(tx, ownerId, Number(agent.slice(1))))
    throw refused(`cannot be called: ${nationalOf(agent)}, the agent’s number, is on a blacklist`, 'blacklist')
  await requireFree(tx, ownerId, [nationalOf(customer)], 'callUID')
  await requireAgentFree(tx, ownerId, nationalOf(agent), 'callUID')
}

export async function followup({ app, viewer }: Ctx, followupId: number): Promise<Followup> {
  const line = await store.findFollowup(app.db, ownScope(viewer), followupId)
  if (!line) throw new AppError('not_found')
  return followupOf(line)
}

export async function followupsOf(db: Db, accountIds: readonly number[]): Promise<Map<number, Followup>> {
  const lines = await store.newestFollowups(db, accountIds)
  return new Map(lines.map((line) => [line.account_id, followupOf(line)]))
}

export async function stopFollowup(ctx: Ctx, followupId: number): Promise<void> {
  const { app, viewer } = ctx
  const scope = ownScope(viewer)
  await app.db.transaction().execute(async (tx) => {
    await actAs(tx, viewer.userId)
    const stopped = await store.stopFollowup(tx, scope, followupId)
    if (!stopped && !(await store.findFollowup(tx, scope, followupId))) throw new AppError('not_found')
    if (!stopped) throw conflict('followupId', 'is over', 'status')
    await audit(tx, ctx, 'call.followup.stop', `campaign ${followupId}`)
  })
}
