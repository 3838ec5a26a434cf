import { ownValue } from '@ghanti/contract/own-values.ts'
import { consultancy } from '@ghanti/callflow/templates/consultancy.ts'
import { speakingTemplates } from '@ghanti/callflow/templates/speaking.ts'
import { callPatch } from '@ghanti/callflow/templates/call-patch.ts'
import { dtmfInput } from '@ghanti/callflow/templates/dtmf-input.ts'
import { simpleIvr } from '@ghanti/callflow/templates/simple-ivr.ts'
import type { FlowInput, PlainRole, Template } from '@ghanti/callflow/template.ts'
import { dtmfTaken, messages } from '@ghanti/contract/messages.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import type { PromptsInput } from '@ghanti/contract/parts.ts'
import { templates, type TemplateId } from '@ghanti/contract/template-names.ts'
import {
  calendarOfLanguage,
  calendars,
  dtmfKeys,
  languages,
  type DtmfKey,
  type SpeakingId,
} from '@ghanti/contract/templates.ts'
import type { ComposeInput, PreviewInput } from '@ghanti/contract/compose.ts'
import * as z from 'zod/mini'
import type { FieldError } from '../../errors.ts'
import { readMenus, readSections, type ChosenPrompt } from './rules-parts.ts'

/** What compose's fields mean for a template, with prompts still as ids. */
export type Answers = Omit<FlowInput, 'prompts'> & { prompts: readonly ChosenPrompt[] }
type Read = { ok: true; answers: Answers; fields: Record<string, unknown> } | { ok: false; errors: FieldError[] }

type Composer = { template: Template; read: (input: PreviewInput) => Read }

const promptField = {
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
      issues.push({ code: 'custom', message: `has '${wrong}', which is not a key: ${keyRange}`, input: text })
    return keys
  }),
)

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
      if (!isKey(key)) bad(index, 'agentDtmf', `'${key}' is not a key: ${keyRange}`)
      else if (taken.has(key)) bad(index, 'agentDtmf', dtmfTaken(key))
      else if (phone) agents.push({ number: phone.e164, key })
      taken.add(key)
    }
    return agents
  }),
)

/** A template's entry: the fields that compose must have for it, and how they become the input of its flow. */
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
      return { ok: true, answers: answer(parsed.data), fields: sent(input, parsed.data) }
    },
  }
}

function fieldErrorOf(issue: z.core.$ZodIssue): FieldError {
  return { field: issue.path.join('.'), code: 'invalid', text: issue.message }
}

function sent(input: PreviewInput, read: object): Record<string, unknown> {
  const given: Readonly<Record<string, unknown>> = input
  return Object.fromEntries(
    Object.entries(read).flatMap(([name, value]) =>
      ownValue(given, name) === undefined && value === undefined ? [] : [[name, ownValue(given, name) ?? value]],
    ),
  )
}

const noMenu = { keys: [], menuKeys: [], menuWaitSeconds: 0, rePrompts: 0, agents: [], speech: null }
const oneMenu = (fields: MenuFields): Answers => ({
  ...noMenu,
  menuWaitSeconds: fields.menuWaitTime,
  rePrompts: fields.rePrompt,
  prompts: chosen(fields),
})

/** In the order in which a call plays them. */
function chosen(fields: Partial<Record<(typeof promptField)[PlainRole], number | undefined>>): ChosenPrompt[] {
  const roles: PlainRole[] = ['welcome', 'menu', 'noInput', 'wrongInput', 'thanks']
  return roles.flatMap((role) => {
    const field = promptField[role]
    const promptId = fields[field]
    return promptId === undefined ? [] : [{ role, promptId, field }]
  })
}

type Checked<T> = T & { problems: { path: (string | number)[]; text: string }[] }

function Parts<T>(read: (given: PromptsInput | undefined) => Checked<T>) {
  return z.pipe(
    z.optional(z.custom<PromptsInput>()),
    z.transform((given, { issues }): T => {
      const answer = read(given)
      for (const { path, text } of answer.problems) issues.push({ code: 'custom', message: text, input: given, path })
      return answer
    }),
  )
}

const consultancyFields = { welcomePId: needed, menuWaitTime: needed, rePrompt: needed }
const Menus = Parts(readMenus)

/** Five seconds and one repetition by default. */
const answerFields = { menuWaitTime: z._default(z.number(), 5), rePrompt: z._default(z.number(), 1) }

function speakingFields(id: SpeakingId) {
  return {
    language: z._default(z.enum(languages), 'ne'),
    calendar: z.optional(z.enum(calendars)),
    prompts: Parts((given) => readSections(id, given)),
  }
}
type SpeakingFields = z.output<z.ZodMiniObject<ReturnType<typeof speakingFields>>>

const spoken = ({ language, calendar, prompts: { prompts } }: SpeakingFields): Answers => ({
  ...noMenu,
  speech: { language, calendar: calendar ?? calendarOfLanguage[language] },
  prompts,
})

function asking(id: SpeakingId): Composer {
  return composer(speakingTemplates[id], z.object({ ...speakingFields(id), ...answerFields }), (fields) => ({
    ...spoken(fields),
    menuWaitSeconds: fields.menuWaitTime,
    rePrompts: fields.rePrompt,
  }))
}

function speaking(id: SpeakingId): Composer {
  return composer(speakingTemplates[id], z.object(speakingFields(id)), spoken)
}

/** One entry per template (specification 1 §5). */
const composers: Record<TemplateId, Composer> = {
  0: composer(simpleIvr, z.object({ welcomePId: needed }), (fields) => ({ ...noMenu, prompts: chosen(fields) })),
  1: composer(dtmfInput, z.object({ ...menuFields, dtmf: Keys }), (fields) => ({
    ...oneMenu(fields),
    keys: fields.dtmf,
  })),
  2: composer(
    callPatch,
    z.object({ ...menuFields, agentRows: Agents, language: z.optional(z.enum(languages)) }),
    (fields) => ({ ...oneMenu(fields), agents: fields.agentRows, language: fields.language }),
  ),
  3: asking(3),
  4: asking(4),
  5: asking(5),
  6: speaking(6),
  7: speaking(7),
  8: composer(consultancy, z.object({ ...consultancyFields, prompts: Menus }), (fields) => ({
    ...noMenu,
    menuWaitSeconds: fields.menuWaitTime,
    rePrompts: fields.rePrompt,
    menuKeys: fields.prompts.menuKeys,
    prompts: [...chosen(fields), ...fields.prompts.prompts],
  })),
}

/** Whether `name` matches the id: the template's own name, which the first three may omit. */
export function isNameOf(templateId: number, name: string): boolean {
  const named = templates.find((template) => template.name === name)
  return named ? named.id === templateId : templateId <= 2
}

export function composerOf(templateId: number): Composer | undefined {
  return Object.values(composers).find(({ template }) => template.id === templateId)
}
