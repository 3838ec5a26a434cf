import { Flow } from '@ghanti/callflow/flow.ts'
import { PreviewInput, type EditInput } from '@ghanti/contract/compose.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Tx } from '../../db/db.ts'
import { AppError, conflict } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { actAs } from '../campaigns/actions-state.ts'
import { editedTimes, rename } from '../campaigns/actions-edit.ts'
import { Problems } from '../campaigns/actions.ts'
import { begunProblem } from '../campaigns/rules.ts'
import { audit } from '../audit/actions.ts'
import { priceChain } from '../credits/actions.ts'
import { requireCli } from '../lines/actions.ts'
import { moveCallMessages } from '../sms-campaigns/actions-calls.ts'
import { keepSpokenOf } from '../speech/actions.ts'
import { requireAgents, transactionWithAgents } from './actions-agents.ts'
import { startOn, wayOf } from './actions-start.ts'
import { dialUntil, nameTaken, requireParts } from './actions.ts'
import type { Start } from './rules-start.ts'
import { labelProblems } from './rules-labels.ts'
import { composerOf, type Answers } from './rules.ts'
import * as store from './store-edit.ts'

type Before = NonNullable<Awaited<ReturnType<typeof store.lockForEdit>>>

/**
 * Changes a campaign of the viewer's that has not begun, after the checks that compose makes: its caller ID is still held, its voice files are
 * approved, its time is to come. Contacts, voice files and prices stay as they were composed. The lock on its row makes the engine wait, which
 * then starts it only in its new time.
 */
export async function editCampaign(ctx: Ctx, input: EditInput): Promise<Start> {
  const { app, viewer } = ctx
  const { campaignId } = input
  const now = app.clock.now()
  return await transactionWithAgents(ctx, async (tx) => {
    await actAs(tx, viewer.userId)
    const before = await store.lockForEdit(tx, ownScope(viewer), campaignId)
    if (!before) throw new AppError('not_found')
    const begun = begunProblem(before.status, before.isOver, 'call')
    if (begun !== null) throw conflict('campaignId', begun, 'status')
    const problems = new Problems()
    const line = await problems.of(() => requireCli(tx, viewer.userId, before.cli))
    const chain = await problems.of(() => priceChain(tx, viewer.userId))
    const flow = readComposed(before.composed)
    await problems.of(() => requireParts(tx, viewer.userId, flow?.answers))
    problems.add(labelProblems(input.keyLabels, Flow.safeParse(before.flow).data))
    const times = await problems.of(() => timesOf(tx, input, before, now))
    const name = input.campaignName ?? before.name
    await problems.of(async () => {
      if (!(await rename(tx, 'campaign_name', { ownerId: viewer.userId, campaignId, name }))) throw nameTaken()
    })
    problems.refuseIfAny()
    if (flow) await requireAgents(tx, viewer.userId, flow.input, flow.answers)
    if (!line || !chain || !times) throw new Error('an edit passed its checks without its required input')
    const { campaignId: _, notAfter: _n, scheduleTime: _s, ...fields } = input
    const edited = { ...before, ...definedOf(fields), ...times, name, composed: definedOf(fields) }
    await store.edit(tx, campaignId, edited)
    await moveCallMessages(tx, campaignId, edited)
    await keepSpokenOf(tx, campaignId)
    await audit(tx, ctx, 'campaign.edit', `campaign ${campaignId}`, {
      campaignName: name,
      ...definedOf(fields),
      scheduleTime: nepalTimeOf(times.startAt),
      ...(times.notAfter && { notAfter: nepalTimeOf(times.dialUntil) }),
      before: nepalTimeOf(before.startAt),
    })
    const way = await wayOf(tx, line.cliId, chain)
    const wanted = times.startAt < now ? now : times.startAt
    return await startOn(tx, { line, chain, way, wanted, now, dialUntil: times.dialUntil })
  })
}

/** Its voice files may have been rejected or deleted since, and its agents blacklisted. */
function readComposed(composed: unknown): { input: PreviewInput; answers: Answers } | null {
  const { data: input } = PreviewInput.safeParse(composed)
  const read = input && composerOf(input.templateId ?? -1)?.read(input)
  return input && read?.ok ? { input, answers: read.answers } : null
}

async function timesOf(tx: Tx, input: EditInput, { startAt, dialUntil: endAt, notAfter }: Before, now: Date) {
  const lastDayOf = (start: Date) => dialUntil(tx, start)
  const times = await editedTimes(input, { startAt, endAt, notAfter }, { now, doing: 'call', lastDayOf })
  return { startAt: times.startAt, dialUntil: times.endAt, notAfter: times.notAfter }
}

function definedOf<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
