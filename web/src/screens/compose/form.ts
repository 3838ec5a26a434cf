import { calendars, languages } from '@ghanti/contract/templates.ts'
import * as z from 'zod/mini'
import type { Form } from '../../components/form/field.ts'

const Choice = z.nullable(z.string())

/** Ids of the templates' cards (specification 1 §2). */
const cards: readonly string[] = ['0', '1', '2', '3', '4', '5', '6']

/** A message after the call: a request to one's own address, or one of our texts. */
const SmsWay = z.enum(['address', 'text'])

/** An uploaded contact file: its rows, and how many have a number that can be called. */
const Base = z.object({ baseId: z.number(), name: z.string(), rows: z.number(), dialable: z.number() })
export type Base = z.output<typeof Base>

/** What the form shows, with the fields of every template, so that changing the template loses nothing. Drafts are parsed with it. */
export const ComposeForm = z.object({
  campaignName: z.string(),
  /** The id of the template's card (specification 1 §2) as text, not the sent id. */
  template: z.nullable(z.enum(cards)),
  templateName: z.nullable(z.enum(['auto1', 'auto2', 'auto3'])),
  cli: Choice,
  /** Empty: as long as the trunk allows. */
  ringSeconds: z._default(z.string(), ''),

  welcome: Choice,
  menu: Choice,
  noInput: Choice,
  wrongInput: Choice,
  thanks: Choice,
  menu1: Choice,
  menu2: Choice,
  menu3: Choice,
  menu4: Choice,
  menu5: Choice,
  optin1: Choice,
  optin2: Choice,
  optout1: Choice,
  optout2: Choice,
  action1: Choice,
  action2: Choice,
  language: z.enum(languages),
  calendar: z.enum(calendars),
  withWelcome: z.boolean(),
  withNoInput: z.boolean(),
  withWrongInput: z.boolean(),
  withThanks: z.boolean(),
  keys: z.array(z.string()),
  /** By key; '' or absent: no name. */
  keyLabels: z._default(z.record(z.string(), z.string()), {}),
  menuWait: z.string(),
  rePrompts: z.string(),
  agents: z.array(z.object({ number: z.string(), key: z.string() })),
  agentNumber: z.string(),
  agentKey: Choice,

  contactsFrom: z.enum(['paste', 'upload', 'stored']),
  numbers: z.string(),
  /** The base made from the pasted numbers; null once they change. */
  pastedBase: z.nullable(Base),
  file: z.nullable(z.instanceof(File)),
  baseName: z.string(),
  /** The name that the picked file gave to `baseName`; '' without one. */
  fileGaveName: z._default(z.string(), ''),
  uploadedBase: z.nullable(Base),
  storedBase: Choice,

  /** Messages after the call. Their addresses contain credentials, which no draft stores. */
  smsSuccess: z._default(z.boolean(), false),
  smsFail: z._default(z.boolean(), false),
  smsDtmf: z._default(z.boolean(), false),
  smsSuccessApi: z._default(z.string(), ''),
  smsFailApi: z._default(z.string(), ''),
  smsDtmfApi: z._default(z.string(), ''),
  smsSuccessBy: z._default(SmsWay, 'address'),
  smsFailBy: z._default(SmsWay, 'address'),
  smsDtmfBy: z._default(SmsWay, 'address'),
  smsCli: z._default(Choice, null),
  smsSuccessText: z._default(z.string(), ''),
  smsFailText: z._default(z.string(), ''),
  /** By key; '' or absent: no text. */
  smsDtmfTexts: z._default(z.record(z.string(), z.string()), {}),
  /** How many seconds a call must be answered to be a success. */
  callDurationSMS: z._default(z.string(), '1'),

  scheduled: z.boolean(),
  /** 'yyyy-MM-dd' and 'HH:mm' in Nepal. */
  day: Choice,
  time: Choice,
  /** No call begins from `endDay` `endTime` on. */
  withEnd: z._default(z.boolean(), false),
  endDay: z._default(Choice, null),
  endTime: z._default(Choice, null),
})
export type ComposeForm = z.output<typeof ComposeForm>
export type FormOfCompose = Form<ComposeForm>

export const blankForm: ComposeForm = {
  campaignName: '',
  template: null,
  templateName: null,
  cli: null,
  ringSeconds: '',
  welcome: null,
  menu: null,
  noInput: null,
  wrongInput: null,
  thanks: null,
  menu1: null,
  menu2: null,
  menu3: null,
  menu4: null,
  menu5: null,
  optin1: null,
  optin2: null,
  optout1: null,
  optout2: null,
  action1: null,
  action2: null,
  language: 'ne',
  calendar: 'bs',
  withWelcome: false,
  withNoInput: false,
  withWrongInput: false,
  withThanks: false,
  keys: [],
  keyLabels: {},
  menuWait: '5',
  rePrompts: '1',
  agents: [],
  agentNumber: '',
  agentKey: null,
  contactsFrom: 'paste',
  numbers: '',
  pastedBase: null,
  file: null,
  baseName: '',
  fileGaveName: '',
  uploadedBase: null,
  storedBase: null,
  smsSuccess: false,
  smsFail: false,
  smsDtmf: false,
  smsSuccessApi: '',
  smsFailApi: '',
  smsDtmfApi: '',
  smsSuccessBy: 'address',
  smsFailBy: 'address',
  smsDtmfBy: 'address',
  smsCli: null,
  smsSuccessText: '',
  smsFailText: '',
  smsDtmfTexts: {},
  callDurationSMS: '1',
  scheduled: false,
  day: null,
  time: null,
  withEnd: false,
  endDay: null,
  endTime: null,
}

/** A chosen file is in no draft, because the browser grants it only for now, and its name goes with it. An uploaded one stays, with its name. */
export function withoutFile(form: ComposeForm): ComposeForm {
  if (form.uploadedBase !== null) return { ...form, file: null }
  const baseName = form.baseName === form.fileGaveName ? '' : form.baseName
  return { ...form, file: null, baseName, fileGaveName: '' }
}

/** Null while the form has no stored contact file. */
export function baseIdOf(form: ComposeForm): number | null {
  if (form.contactsFrom === 'paste') return form.pastedBase?.baseId ?? null
  if (form.contactsFrom === 'upload') return form.uploadedBase?.baseId ?? null
  return form.storedBase === null ? null : Number(form.storedBase)
}
