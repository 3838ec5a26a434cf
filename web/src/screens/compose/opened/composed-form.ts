import { PromptsInput } from '@ghanti/contract/parts.ts'
import { calendarOfLanguage, calendars, languages, promptTypes } from '@ghanti/contract/templates.ts'
import * as z from 'zod/mini'
import { nextName } from '../../../components/form/files/named-after-file.ts'
import { blankForm, type ComposeForm } from '../form.ts'
import type { OptionalPrompt } from '../templates/menu.ts'
import { isPrompt } from '../templates/speaking.ts'
import { composeTemplates } from '../templates/table.ts'

const Text = z.catch(z.optional(z.pipe(z.union([z.string(), z.number()]), z.transform(String))), undefined)

/** The `composed` of a campaign's detail; fields missing in old ones are as in a blank form. */
const Composed = z.object({
  campaignName: Text,
  templateId: Text,
  cli: Text,
  ringSeconds: Text,
  smsSuccessApi: Text,
  smsFailApi: Text,
  smsDtmfApi: Text,
  callDurationSMS: Text,
  smsCli: Text,
  smsSuccessText: Text,
  smsFailText: Text,
  smsDtmfTexts: z.catch(z.record(z.string(), z.string()), {}),
  baseId: Text,
  dtmf: Text,
  keyLabels: z.catch(z.record(z.string(), z.string()), {}),
  welcomePId: Text,
  menuPId: Text,
  noInputPId: Text,
  wrongInputPId: Text,
  thanksPId: Text,
  menuWaitTime: Text,
  rePrompt: Text,
  prompts: z.catch(PromptsInput, {}),
  language: z.catch(z.enum(languages), 'ne'),
  calendar: z.catch(z.optional(z.enum(calendars)), undefined),
  agentRows: z.catch(z.array(z.object({ agentNumber: z.string(), agentDtmf: z.string() })), []),
})

/**
 * The form that would compose the same campaign again, without its time, which is past, and without addresses of messages, which cannot be
 * read back.
 */
export function formOfComposed(composed: Record<string, unknown>): ComposeForm {
  const c = Composed.parse(composed)
  const prompts = {
    welcome: c.welcomePId ?? null,
    menu: c.menuPId ?? null,
    noInput: c.noInputPId ?? null,
    wrongInput: c.wrongInputPId ?? null,
    thanks: c.thanksPId ?? null,
  }
  return {
    ...blankForm,
    ...prompts,
    ...ticks(prompts),
    campaignName: nextName(c.campaignName ?? ''),
    ...cardOf(c.templateId),
    ...partsOf(c.prompts),
    language: c.language,
    calendar: c.calendar ?? calendarOfLanguage[c.language],
    cli: c.cli ?? null,
    ringSeconds: c.ringSeconds ?? '',
    keys: c.dtmf?.split(',').filter(Boolean) ?? [],
    keyLabels: c.keyLabels,
    menuWait: c.menuWaitTime ?? blankForm.menuWait,
    rePrompts: c.rePrompt ?? blankForm.rePrompts,
    agents: c.agentRows.map(({ agentNumber, agentDtmf }) => ({ number: agentNumber, key: agentDtmf })),
    ...messagesOf(c),
    contactsFrom: 'stored',
    storedBase: c.baseId ?? null,
  }
}

/** Keeps our texts; of addresses, only that there were some. */
function messagesOf(c: z.output<typeof Composed>): Partial<ComposeForm> {
  const wayOf = (text: boolean) => (text ? 'text' : 'address')
  const hasKeyTexts = Object.keys(c.smsDtmfTexts).length > 0
  const hasSuccess = c.smsSuccessApi !== undefined || c.smsSuccessText !== undefined
  return {
    smsSuccess: hasSuccess,
    smsFail: c.smsFailApi !== undefined || c.smsFailText !== undefined,
    smsDtmf: c.smsDtmfApi !== undefined || hasKeyTexts,
    smsSuccessBy: wayOf(c.smsSuccessText !== undefined),
    smsFailBy: wayOf(c.smsFailText !== undefined),
    smsDtmfBy: wayOf(hasKeyTexts),
    smsCli: c.smsCli ?? null,
    smsSuccessText: c.smsSuccessText ?? '',
    smsFailText: c.smsFailText ?? '',
    smsDtmfTexts: c.smsDtmfTexts,
    callDurationSMS: hasSuccess ? (c.callDurationSMS ?? blankForm.callDurationSMS) : blankForm.callDurationSMS,
  }
}

export function hadMessages({ smsSuccessApi, smsFailApi, smsDtmfApi }: Record<string, unknown>): boolean {
  return Boolean(smsSuccessApi ?? smsFailApi ?? smsDtmfApi)
}

function ticks(prompts: Record<OptionalPrompt, string | null>) {
  return {
    withWelcome: prompts.welcome !== null,
    withNoInput: prompts.noInput !== null,
    withWrongInput: prompts.wrongInput !== null,
    withThanks: prompts.thanks !== null,
  }
}

const templateNames = [null, 'auto1', 'auto2', 'auto3'] as const

function cardOf(templateId: string | undefined): Partial<ComposeForm> {
  for (const { id, sentId } of composeTemplates)
    for (const templateName of templateNames)
      if (String(sentId({ templateName })) === templateId) return { template: String(id), templateName }
  return {}
}

function partsOf({ menus = [], ...sections }: PromptsInput): Partial<ComposeForm> {
  const parts = Object.values(sections).flatMap((section) => section ?? [])
  const chosen = [...parts, ...menus.map(({ promptId }, index) => ({ type: promptTypes[index], promptId }))]
  return Object.fromEntries(
    chosen.flatMap(({ type, promptId }) =>
      type !== undefined && isPrompt(type) && promptId !== undefined ? [[type, String(promptId)]] : [],
    ),
  )
}
