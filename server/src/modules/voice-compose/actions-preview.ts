import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { PreviewInput } from '@ghanti/contract/compose.ts'
import type { App } from '../../app.ts'
import { badField } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { endOf, startOf } from '../campaigns/rules.ts'
import type { CallTextPreview } from '../contacts/actions-call-texts.ts'
import { previewBase } from '../contacts/actions.ts'
import { balanceOf, priceChain } from '../credits/actions.ts'
import { requireCli } from '../lines/actions.ts'
import { buildFlow, dialUntil, requireParts } from './actions.ts'
import { startOn, wayOf, type WayOf } from './actions-start.ts'
import { estimateTexts, previewTexts, segmentPaisa } from './actions-preview-texts.ts'
import { doneAt, estimate, type Caps } from './rules-estimate.ts'
import { wireStart } from './rules-start.ts'
import { composerOf } from './rules.ts'

const channelsDefault = 30

/** What the file gives and, once template, prompts and CLI are chosen, the cost and duration. */
export async function previewCampaign(ctx: Ctx, input: PreviewInput): Promise<ContactPreview> {
  if (input.baseId === undefined) throw badField('baseId', 'is required', 'required')
  const { baseId } = input
  const contacts = await previewBase(ctx, baseId, input.templateId ?? 0)
  const ownerId = ctx.viewer.userId
  const texts = await previewTexts(ctx, input, { baseId, columns: contacts.columns })
  const estimated = await estimateOf(ctx, input, contacts.accepted, texts)
  await auditRead(ctx, { action: 'base.preview', target: `base ${baseId}`, ownerId, detail: { baseId } })
  return { ...contacts, estimate: estimated }
}

async function estimateOf(
  ctx: Ctx,
  input: PreviewInput,
  rows: number,
  texts: CallTextPreview | null,
): Promise<ContactPreview['estimate']> {
  const { app, viewer } = ctx
  const composer = composerOf(input.templateId ?? -1)
  const read = composer?.read(input)
  const { cli } = input
  if (!composer || !read?.ok || cli === undefined) return null
  return app.db.transaction().execute(async (tx) => {
    const problems = new Problems()
    const parts = await problems.of(() => requireParts(tx, viewer.userId, read.answers))
    const line = await problems.of(() => requireCli(tx, viewer.userId, cli))
    problems.refuseIfAny()
    const chain = await new Problems().of(() => priceChain(tx, viewer.userId))
    const [level] = chain ?? []
    if (!parts || !line || !chain || !level) return null
    const way = await wayOf(tx, line.cliId, chain)
    const caps = capsOf(app, way, input.channels ?? channelsDefault)
    const flow = buildFlow(composer.template, read.answers, parts)
    const costs = estimate(flow, level, rows, caps)
    const messages = estimateTexts(await segmentPaisa(tx, viewer.userId, texts !== null), texts)
    const now = app.clock.now()
    const wanted = startOf(input.scheduleTime, now)
    const from = typeof wanted === 'string' || wanted < now ? now : wanted
    const lastDay = await dialUntil(tx, from)
    const chosen = endOf(input.notAfter, from, lastDay)
    const until = chosen instanceof Date ? chosen : lastDay
    const start = await startOn(tx, { line, chain, way, wanted: from, now, dialUntil: until })
    const done = costs.seconds === null || !start.at ? null : doneAt(start.hours, start.at, costs.seconds)
    return {
      atMost: rupeesOf(costs.atMostPaisa + messages.atMostPaisa),
      perAgentMinute: costs.agentMinutePaisa === null ? null : rupeesOf(costs.agentMinutePaisa),
      oneCallAtMost: rupeesOf(costs.oneCallPaisa),
      messages: messages.wire,
      perSegment: messages.perSegment,
      balance: rupeesOf((await balanceOf(tx, viewer.userId)).paisa),
      seconds: costs.seconds,
      start: wireStart(start),
      doneAbout: done && done <= until ? nepalTimeOf(done) : null,
      dialUntil: nepalTimeOf(until),
    }
  })
}

function capsOf(app: App, { accountChannels, driver, ...way }: WayOf, channels: number): Caps {
  const { dialer, trunk, cli } = way
  return {
    callsPerSecond: Math.min(trunk.callsPerSecond, dialer.callsPerSecond),
    channels: Math.min(channels, accountChannels ?? channels, cli.channels, trunk.channels, dialer.channels),
    speed: driver === 'simulator' ? app.config.simulatorSpeed : 1,
  }
}
