import type { Flow, PromptPart } from '@ghanti/callflow/flow.ts'
import type { FlowInput, Template } from '@ghanti/callflow/template.ts'
import type { ComposeInput } from '@ghanti/contract/compose.ts'
import type { Tx } from '../../db/db.ts'
import { conflict, type AppError, type FieldError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { ownScope } from '../../policy.ts'
import { addressProblems } from '../after-call/actions-address.ts'
import { keepAddresses } from '../after-call/actions.ts'
import { addressesShown, besideTexts, chosenAddresses, words as afterCallWords } from '../after-call/rules.ts'
import { audit } from '../audit/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { endOf, needsOf, startOf } from '../campaigns/rules.ts'
import { requireBase } from '../contacts/actions.ts'
import { priceChain } from '../credits/actions.ts'
import { requireCli } from '../lines/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { requireApprovedPrompts } from '../prompts/actions.ts'
import { requireRoom } from '../quotas/actions.ts'
import { insertCallMessages, requireCallMessages, type CallMessages } from '../sms-campaigns/actions-calls.ts'
import { requireAgents, transactionWithAgents, type AgentsTx } from './actions-agents.ts'
import { startOn, wayOf } from './actions-start.ts'
import { reservePaisa } from './rules-estimate.ts'
import type { Start } from './rules-start.ts'
import { labelProblems } from './rules-labels.ts'
import { requireKeyScope } from '../../policy-keys.ts'
import { sentOfTexts, textProblems, textsOf, type CallText } from './rules-texts.ts'
import { composerOf, isNameOf, type Answers } from './rules.ts'
import * as store from './store.ts'

const dayMs = 24 * 3600_000

type Composed = { campaignId: number; start: Start }

/**
 * Either throws naming every wrong field, or inserts the complete campaign as processing. A zero balance may compose. Also returns when its
 * calls start.
 */
export async function composeCampaign(ctx: Ctx, input: ComposeInput): Promise<Composed> {
  const { app } = ctx
  const wrong = await addressProblems(app, chosenAddresses(input))
  return transactionWithAgents(ctx, (tx) => composeIn(tx, ctx, input, wrong))
}

/** The same as part of a larger transaction, which must roll back when it refuses. */
export async function composeIn(
  tx: AgentsTx,
  ctx: Ctx,
  input: ComposeInput,
  wrongAddresses: readonly FieldError[] = [],
): Promise<Composed> {
  const { app, viewer } = ctx
  const now = app.clock.now()
  const {
    line,
    chain,
    level,
    flow,
    startAt,
    dialUntil: until,
    texts,
    messages,
    composed,
  } = await requireAll(tx, ctx, input, wrongAddresses)
  const campaignId = await store.insertCampaign(tx, {
    ownerId: viewer.userId,
    name: input.campaignName,
    templateId: input.templateId,
    baseId: input.baseId,
    line,
    startAt,
    dialUntil: until,
    notAfter: input.notAfter !== undefined,
    channels: input.channels,
    retries: input.retries,
    retryIntervalMinutes: input.retryInterval,
    ringSeconds: input.ringSeconds ?? null,
    reservePaisa: reservePaisa(flow, level),
    chain,
    flow,
    composed: { ...composed, ...sentOfTexts(input), ...(input.keyLabels && { keyLabels: input.keyLabels }) },
  })
  if (campaignId === undefined) throw nameTaken()
  await keepAddresses(tx, app, campaignId, chosenAddresses(input), input.callDurationSMS ?? 0)
  const { campaignName, cli, baseId, templateId } = input
  if (messages) {
    await store.insertTexts(tx, campaignId, texts)
    const calls = { campaignId, ownerId: viewer.userId, name: campaignName, baseId, startAt, dialUntil: until, texts }
    await insertCallMessages(tx, calls, messages)
  }
  await audit(tx, ctx, 'campaign.compose', `campaign ${campaignId}`, { campaignName, cli, baseId, templateId })
  const way = await wayOf(tx, line.cliId, chain)
  const wanted = startAt < now ? now : startAt
  return { campaignId, start: await startOn(tx, { line, chain, way, wanted, now, dialUntil: until }) }
}

/** Throws naming every field for which compose would refuse it now. */
export async function requireComposable(tx: AgentsTx, ctx: Ctx, input: ComposeInput): Promise<void> {
  await requireAll(tx, ctx, input, [])
}

/** What the campaign is made of; throws naming every wrong field. */
async function requireAll(
  tx: AgentsTx,
  { app, viewer }: Ctx,
  input: ComposeInput,
  wrongAddresses: readonly FieldError[],
) {
  const problems = new Problems()
  problems.add([...wrongAddresses, ...besideTexts(chosenAddresses(input), input)])
  const read = readInput(input, app.clock.now())
  problems.add(read.errors)
  const parts = await problems.of(() => requireParts(tx, viewer.userId, read.answers))
  const line = await problems.of(() => requireCli(tx, viewer.userId, input.cli))
  const chain = await problems.of(() => priceChain(tx, viewer.userId))
  const base = await problems.of(() => requireBase(tx, ownScope(viewer), input.baseId, input.templateId))
  await problems.of(() => requireFreeName(tx, viewer.userId, input.campaignName))
  const until = read.start && endOf(input.notAfter, read.start, await dialUntil(tx, read.start))
  if (typeof until === 'string') problems.add([wrong('notAfter', until)])
  const texts = textsOf(input)
  if (texts.length > 0) requireKeyScope(viewer.key, 'messages:write')
  await problems.of(() => requireRoom(tx, viewer.userId, needsOf(base, texts.length > 0)))
  const flow = parts && read.template && read.answers && buildFlow(read.template, read.answers, parts)
  problems.add(textProblems(texts, { smsCli: input.smsCli, flow, columns: base?.columns }))
  problems.add(labelProblems(input.keyLabels, flow))
  const messages = await problems.of(() => messagesOf(tx, viewer.userId, input.smsCli, texts))
  problems.refuseIfAny()
  if (read.answers) await requireAgents(tx, viewer.userId, input, read.answers)
  const [level] = chain ?? []
  if (!flow || !line || !chain || !level || !read.start || !(until instanceof Date))
    throw new Error('compose passed its checks without its required input')
  return { flow, line, chain, level, startAt: read.start, dialUntil: until, texts, messages, composed: read.composed }
}

/** Null when no text of ours follows its calls, or `problems` already says what is missing. */
async function messagesOf(
  tx: Tx,
  ownerId: number,
  smsCli: string | undefined,
  texts: readonly CallText[],
): Promise<CallMessages | null> {
  return texts.length === 0 || smsCli === undefined ? null : await requireCallMessages(tx, ownerId, { smsCli, texts })
}

/** Rows unfinished by then expire (docs/design.md#last-day). */
export async function dialUntil(tx: Tx, start: Date): Promise<Date> {
  return new Date(start.getTime() + (await settingOf(tx, 'dialDays')) * dayMs)
}

type ReadInput = {
  errors: FieldError[]
  template?: Template
  answers?: Answers
  start?: Date
  /** What Duplicate fills the form with, all but the time. */
  composed: Record<string, unknown>
}

function readInput(input: ComposeInput, now: Date): ReadInput {
  const composer = composerOf(input.templateId)
  if (!composer) return { errors: [wrong('templateId', 'is not a template')], composed: {} }
  const { template } = composer
  const errors: FieldError[] = []
  const read = composer.read(input)
  if (!read.ok) errors.push(...read.errors)
  if (input.smsDtmfApi !== undefined && template.keys === 'none')
    errors.push(wrong('smsDtmfApi', afterCallWords.noKeys))
  if (input.templateName !== undefined && !isNameOf(input.templateId, input.templateName))
    errors.push(wrong('templateName', `is not the name of template ${input.templateId}`))
  const start = startOf(input.scheduleTime, now)
  if (typeof start === 'string') errors.push(wrong('scheduleTime', start))
  const { campaignName, templateId, cli, baseId } = input
  const { retries, retryInterval, channels, ringSeconds } = input
  const always = {
    campaignName,
    templateId,
    cli,
    baseId,
    retries,
    retryInterval,
    channels,
    ...(ringSeconds && { ringSeconds }),
  }
  return {
    errors,
    template,
    ...(read.ok && { answers: read.answers }),
    ...(typeof start !== 'string' && { start }),
    composed: { ...always, ...addressesShown(input), ...(read.ok && read.fields) },
  }
}

function wrong(field: string, text: string): FieldError {
  return { field, code: 'invalid', text }
}

export type Parts = Map<number, PromptPart>

/** The sounds of the chosen prompts; throws 400 for each that is not the owner's or not approved. */
export async function requireParts(tx: Tx, ownerId: number, answers: Answers | undefined): Promise<Parts> {
  if (!answers) return new Map()
  const prompts = await requireApprovedPrompts(tx, ownerId, answers.prompts)
  return new Map(
    [...prompts].map(([promptId, { durationMs, wavHash: hash }]) => [
      promptId,
      { kind: 'prompt', promptId, durationMs, hash },
    ]),
  )
}

export function buildFlow(template: Template, answers: Answers, parts: Parts): Flow {
  const prompts: FlowInput['prompts'] = {}
  for (const { role, promptId } of answers.prompts) {
    const part = parts.get(promptId)
    if (part) prompts[role] = part
  }
  return template.build({ ...answers, prompts })
}

async function requireFreeName(tx: Tx, ownerId: number, name: string): Promise<void> {
  if (await store.nameTaken(tx, ownerId, name)) throw nameTaken()
}

export function nameTaken(): AppError {
  return conflict('campaignName', 'is the name of another of your campaigns', 'taken')
}
