import { SmsAddress } from '@ghanti/contract/sms-address.ts'
import { calendars, languages } from '@ghanti/contract/templates.ts'
import { Name, RingSeconds } from '@ghanti/contract/values.ts'
import * as z from 'zod/mini'
import type { ListedField } from '../../components/form/field-list.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { StepName } from './steps/steps.ts'

type Texts = TextsOf<'compose'>
type Label = (t: Texts) => string

export type ComposeField = ListedField & {
  step: Exclude<StepName, 'check'>
  label: Label
  /** Its name in requests, where it differs. */
  wire?: string
  /** The field that shows what a request's field is refused for, where it is another one. */
  errorAt?: string
  /** What a value must be, where the field is asked for. */
  limits?: z.ZodMiniType
  /** Has credentials, which neither a draft nor a set-up keeps. */
  isSecret?: true
  /** Belongs to one campaign alone, so that a set-up leaves it out. */
  isOnce?: true
  /** Does not change what is called and what it costs, and may be half typed. */
  isUnpriced?: true
}

type More = Omit<Partial<ComposeField>, 'shape' | 'blank' | 'step' | 'label'>

/** A required Select; the error continues a sentence after the field's label. */
export const Chosen = z.string({ error: 'is required' })

const Choice = z.nullable(z.string())

function of<Shape extends z.ZodMiniType>(shape: Shape, blank: z.output<Shape>) {
  return (step: ComposeField['step'], label: Label, more: More = {}) => ({ shape, blank, step, label, ...more })
}
const text = of(z.string(), '')
const tick = of(z.boolean(), false)
const choice = (step: ComposeField['step'], label: Label, more: More = {}) =>
  of(Choice, null)(step, label, { limits: Chosen, ...more })
const prompt = (label: Label, wire?: string) => choice('what', label, wire === undefined ? {} : { wire })

/** A message after the call: a request to one's own address, or one of our texts. */
const way = of(z.enum(['address', 'text']), 'address')
const afterCall = { isUnpriced: true } as const
const address = (occasion: Label) =>
  text('what', (t) => `${occasion(t)}: ${t.sms.address}`, { limits: SmsAddress, isSecret: true, ...afterCall })
const textOf = (occasion: Label) => text('what', (t) => `${occasion(t)}: ${t.sms.text}`, afterCall)

/** An uploaded contact file: its rows, and how many have a number that can be called. */
const Base = z.object({ baseId: z.number(), name: z.string(), rows: z.number(), dialable: z.number() })
export type Base = z.output<typeof Base>
const base = of(z.nullable(Base), null)

const inTheCall = {
  welcome: prompt((t) => t.prompts.welcome, 'welcomePId'),
  menu: prompt((t) => t.prompts.menu, 'menuPId'),
  noInput: prompt((t) => t.prompts.noInput, 'noInputPId'),
  wrongInput: prompt((t) => t.prompts.wrongInput, 'wrongInputPId'),
  thanks: prompt((t) => t.prompts.thanks, 'thanksPId'),
  menu1: prompt((t) => t.prompts.menu1),
  menu2: prompt((t) => t.prompts.menu2),
  menu3: prompt((t) => t.prompts.menu3),
  menu4: prompt((t) => t.prompts.menu4),
  menu5: prompt((t) => t.prompts.menu5),
  optin1: prompt((t) => t.prompts.optin1),
  optin2: prompt((t) => t.prompts.optin2),
  optout1: prompt((t) => t.prompts.optout1),
  optout2: prompt((t) => t.prompts.optout2),
  action1: prompt((t) => t.prompts.action1),
  action2: prompt((t) => t.prompts.action2),
  language: of(z.enum(languages), 'ne')('what', (t) => t.speech.language),
  calendar: of(z.enum(calendars), 'bs')('what', (t) => t.speech.calendar),
  withWelcome: tick('what', (t) => t.prompts.withWelcome),
  withNoInput: tick('what', (t) => t.prompts.withNoInput),
  withWrongInput: tick('what', (t) => t.prompts.withWrongInput),
  withThanks: tick('what', (t) => t.prompts.withThanks),
  keys: of(z.array(z.string()), [])('what', (t) => t.keys, {
    wire: 'dtmf',
    limits: z.array(z.string()).check(z.minLength(1, { error: 'Choose at least one key' })),
  }),
  /** By key; '' or absent: no name. */
  keyLabels: of(z.record(z.string(), z.string()), {})('what', (t) => t.keyNames.title),
  menuWait: of(z.string(), '5')('what', (t) => t.menuWait, { wire: 'menuWaitTime', limits: Chosen }),
  rePrompts: of(z.string(), '1')('what', (t) => t.rePrompts, { wire: 'rePrompt', limits: Chosen }),
  agents: of(z.array(z.object({ number: z.string(), key: z.string() })), [])('what', (t) => t.agents.title, {
    wire: 'agentRows',
    errorAt: 'agentNumber',
  }),
  agentNumber: text('what', (t) => t.agents.number),
  agentKey: of(Choice, null)('what', (t) => t.agents.key),
}

const afterTheCall = {
  smsSuccess: tick('what', (t) => t.sms.success),
  smsFail: tick('what', (t) => t.sms.fail),
  smsDtmf: tick('what', (t) => t.sms.dtmf),
  smsSuccessApi: address((t) => t.sms.success),
  smsFailApi: address((t) => t.sms.fail),
  smsDtmfApi: address((t) => t.sms.dtmf),
  smsSuccessBy: way('what', (t) => t.sms.way),
  smsFailBy: way('what', (t) => t.sms.way),
  smsDtmfBy: way('what', (t) => t.sms.way),
  smsCli: choice('what', (t) => t.sms.sender, afterCall),
  smsSuccessText: textOf((t) => t.sms.success),
  smsFailText: textOf((t) => t.sms.fail),
  /** By key; '' or absent: no text. */
  smsDtmfTexts: of(z.record(z.string(), z.string()), {})('what', (t) => `${t.sms.dtmf}: ${t.sms.text}`, afterCall),
  /** How many seconds a call must be answered to be a success. */
  callDurationSMS: of(z.string(), '1')('what', (t) => t.sms.seconds, afterCall),
}

/** One campaign's own: people and times. */
const once = { isOnce: true } as const

/**
 * Every field of the form that composes a campaign, of all templates, so that changing the template loses nothing. Type, blank form, draft,
 * names in requests, labels, limits and step follow from it. Messages use those of them that they have too.
 */
export const fields = {
  campaignName: text('what', (t) => t.campaignName, { limits: Name, isUnpriced: true, ...once }),
  /** The id of the template's card (specification 1 §2) as text, not the sent id. */
  template: choice('what', (t) => t.template, { wire: 'templateId' }),
  templateName: of(z.nullable(z.enum(['auto1', 'auto2', 'auto3'])), null)('what', (t) => t.templateName, {
    limits: Chosen,
  }),
  cli: choice('what', (t) => t.cli),
  /** Empty: as long as the trunk allows. */
  ringSeconds: text('what', (t) => t.ringSeconds, { limits: RingSeconds }),
  ...inTheCall,

  contactsFrom: of(z.enum(['paste', 'upload', 'stored']), 'paste')('who', (t) => t.contacts.title, once),
  numbers: text('who', (t) => t.contacts.numbers, once),
  /** The base made from the pasted numbers; null once they change. */
  pastedBase: base('who', (t) => t.contacts.title, once),
  file: of(z.nullable(z.instanceof(File)), null)('who', (t) => t.contacts.file, once),
  baseName: text('who', (t) => t.contacts.baseName, { limits: Name, ...once }),
  /** The name that the picked file gave to `baseName`; '' without one. */
  fileGaveName: text('who', (t) => t.contacts.baseName, once),
  uploadedBase: base('who', (t) => t.contacts.title, once),
  storedBase: choice('who', (t) => t.contacts.stored, { wire: 'baseId', ...once }),

  ...afterTheCall,

  scheduled: tick('when', (t) => t.schedule.later, once),
  /** 'yyyy-MM-dd' and 'HH:mm' in Nepal. */
  day: choice('when', (t) => t.schedule.day, once),
  time: choice('when', (t) => t.schedule.time, { wire: 'scheduleTime', ...once }),
  /** No call begins from `endDay` `endTime` on. */
  withEnd: tick('when', (t) => t.schedule.ends.calls.with, once),
  endDay: choice('when', (t) => t.schedule.ends.calls.day, once),
  endTime: choice('when', (t) => t.schedule.ends.calls.time, { wire: 'notAfter', ...once }),
} satisfies Record<string, ComposeField>

export type FieldName = keyof typeof fields
