import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { dtmfInput } from '@ghanti/callflow/templates/dtmf-input.ts'
import { simpleIvr } from '@ghanti/callflow/templates/simple-ivr.ts'
import type { FlowInput, PlainRole, Template } from '@ghanti/callflow/template.ts'
import { dtmfTaken, messages } from '@ghanti/contract/messages.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import { dtmfKeys, type DtmfKey, type TemplateId } from '@ghanti/contract/templates.ts'
import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import type { ComposeInput, PreviewInput } from '@ghanti/contract/voice-campaigns.ts'
import * as z from 'zod/mini'
import type { FieldError } from '../../errors.ts'

/** What compose's fields say to a template; its prompts still as ids. */
export type Answers = Omit<FlowInput, 'prompts'> & { prompts: Partial<Record<PlainRole, number>> }
type Read = { ok: true; answers: Answers; fields: Record<string, unknown> } | { ok: false; errors: FieldError[] }

type Composer = { template: Template; read: (input: PreviewInput) => Read }

/** The compose field of each prompt. */
export const promptField = {
  welcome: 'welcomePId',
  menu: 'menuPId',
  noInput: 'noInputPId',
  wrongInput: 'wrongInputPId',
  thanks: 'thanksPId',
} as const satisfies Record<PlainRole, keyof ComposeInput>

const needed = z.number({ error: 'is required' })
const maybe = z.optional(z.number())
const menuFields = {
  menuPId: needed,
  menuWaitTime: needed,
  rePrompt: needed,
  welcomePId: maybe,
  noInputPId: maybe,
  wrongInputPId: maybe,
  thanksPId: maybe,
}
type MenuFields = z.output<z.ZodMiniObject<typeof menuFields>>

const isKey = (text: string): text is DtmfKey => (dtmfKeys as readonly string[]).includes(text)
const keyRange = 'keys are 0 to 9 and *'

/** '1,2,*' */
const Keys = z.pipe(
  z.optional(z.string()),
  z.transform((text, { issues }): DtmfKey[] => {
    const written = new Set((text ?? '').split(',').flatMap((part) => part.trim() || []))
    const keys = [...written].filter(isKey)
    const wrong = [...written].find((key) => !isKey(key))
    if (written.size === 0) issues.push({ code: 'custom', message: 'is required', input: text })
    else if (wrong !== undefined)
      issues.push({ code: 'custom', message: `has '${wrong}', which is no key: ${keyRange}`, input: text })
    return keys
  }),
)

/** Rows in which nothing was entered do not count. */
const Agents = z.pipe(
  z.optional(z.array(z.object({ agentNumber: z.string(), agentDtmf: z.string() }))),
  z.transform((rows = [], { issues }): Answers['agents'][number][] => {
    const agents: Answers['agents'][number][] = []
    const bad = (index: number, field: string, message: string) =>
      issues.push({ code: 'custom', message, input: rows, path: [index, field] })
    const entered = rows
      .map((row, index) => ({ index, number: row.agentNumber.trim(), key: row.agentDtmf.trim() }))
      .filter(({ number, key }) => number !== '' || key !== '')
    const taken = new Set<string>()
    if (entered.length === 0) issues.push({ code: 'custom', message: messages.agentRowMissing, input: rows })
    for (const { index, number, key } of entered) {
      const phone = dialable(number)
      if (number === '' || key === '') bad(index, number === '' ? 'agentNumber' : 'agentDtmf', messages.agentRowHalf)
      else if (!phone) bad(index, 'agentNumber', `'${number}' is not a number that can be called`)
      if (key === '') continue
      if (!isKey(key)) bad(index, 'agentDtmf', `'${key}' is no key: ${keyRange}`)
      else if (taken.has(key)) bad(index, 'agentDtmf', dtmfTaken(key))
      else if (phone) agents.push({ number: phone.e164, key })
      taken.add(key)
    }
    return agents
  }),
)

/** A template's entry: what compose must carry for it, and how that answers what its flow is built from. */
function composer<S extends z.ZodMiniType<object>>(
  template: Template,
  schema: S,
  answer: (fields: z.output<S>) => Answers,
): Composer {
  return {
    template,
    read(input) {
      const parsed = schema.safeParse(input)
      if (!parsed.success) return { ok: false, errors: parsed.error.issues.map(fieldErrorOf) }
      return { ok: true, answers: answer(parsed.data), fields: pick(input, Object.keys(parsed.data)) }
    },
  }
}

function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  return { field: issue.path.join('.'), code: 'invalid', text: issue.message }
}

function pick(input: PreviewInput, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)))
}

const noMenu = { keys: [], menuKeys: [], menuWaitSeconds: 0, rePrompts: 0, agents: [] }
const oneMenu = (fields: MenuFields): Answers => ({
  ...noMenu,
  menuWaitSeconds: fields.menuWaitTime,
  rePrompts: fields.rePrompt,
  prompts: {
    menu: fields.menuPId,
    ...(fields.welcomePId !== undefined && { welcome: fields.welcomePId }),
    ...(fields.noInputPId !== undefined && { noInput: fields.noInputPId }),
    ...(fields.wrongInputPId !== undefined && { wrongInput: fields.wrongInputPId }),
    ...(fields.thanksPId !== undefined && { thanks: fields.thanksPId }),
  },
})

/** One entry a template (spec 1 §5). */
const composers: Partial<Record<TemplateId, Composer>> = {
  0: composer(simpleIvr, z.object({ welcomePId: needed }), ({ welcomePId }) => ({
    ...noMenu,
    prompts: { welcome: welcomePId },
  })),
  1: composer(dtmfInput, z.object({ ...menuFields, dtmf: Keys }), (fields) => ({
    ...oneMenu(fields),
    keys: fields.dtmf,
  })),
  2: composer(callPatch, z.object({ ...menuFields, agentRows: Agents }), (fields) => ({
    ...oneMenu(fields),
    agents: fields.agentRows,
  })),
}

export function composerOf(templateId: number): Composer | undefined {
  return Object.values(composers).find(({ template }) => template.id === templateId)
}

const graceMs = 60_000
const aheadMaxMs = 366 * 24 * 3600_000

/** When it starts. Absent = now; a time is taken from one minute ago on (WIRE.md, Compose). Else what is wrong with it. */
export function startOf(scheduleTime: string | undefined, now: Date): Date | string {
  if (scheduleTime === undefined) return now
  const start = instantOfNepalTime(scheduleTime)
  if (!start) return 'is no time of the calendar'
  if (start.getTime() > now.getTime() + aheadMaxMs) return 'is more than a year ahead'
  return start.getTime() < now.getTime() - graceMs ? 'must not be in the past' : start
}

export const smsOccasions = ['success', 'fail', 'dtmf'] as const
export const smsFields = { success: 'smsSuccessApi', fail: 'smsFailApi', dtmf: 'smsDtmfApi' } as const

/** `address` is sealed; `host` is all of it that anybody sees again. */
const SmsOption = z.object({ host: z.string(), address: z.string() })
export type SmsOption = z.output<typeof SmsOption>
/** campaign_detail.sms. `successSeconds`: how long a call must have lasted to count as a success. */
export const SmsOptions = z.object({
  success: z.optional(SmsOption),
  fail: z.optional(SmsOption),
  dtmf: z.optional(SmsOption),
  successSeconds: z.number(),
})
export type SmsOptions = z.output<typeof SmsOptions>

/** 'sms.example.com/…' */
export function smsShown(option: SmsOption): string {
  return `${option.host}/…`
}
