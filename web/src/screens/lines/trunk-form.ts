import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import {
  dtmfModes,
  identityHeaders,
  plainSipOptions,
  rel100Modes,
  sessionTimerModes,
} from '@ghanti/contract/sip-options.ts'
import type { TrunkPreset } from '@ghanti/contract/trunk-presets.ts'
import { cliFormats, cliHeaders, sipCodecs, sipTransports, type trunkRoutes } from '@ghanti/contract/trunks.ts'
import { ringSecondsDefault } from '@ghanti/contract/values.ts'
import type { SentOf } from '../../api/client.ts'

export type TrunkDetail = ReplyOf<typeof trunkRoutes.detail>
type Sent = SentOf<typeof trunkRoutes.create>
type SipSent = NonNullable<Sent['sip']>

export const trunkTabs = ['contract', 'sip', 'numbers', 'advanced'] as const
export type TrunkTab = (typeof trunkTabs)[number]
export const trunkGroups = ['identity', 'route', 'calls', 'sound'] as const

type Shown = {
  tab: TrunkTab
  /** Of the tab 'advanced'. */
  group?: (typeof trunkGroups)[number]
  required?: true
  maxLength?: number
  inputMode?: 'tel' | 'numeric'
}
/** How a field is typed and sent. 'text' is sent when blank, 'optional' and 'number' are not; 'digits', 'list' and 'clis' are typed freely. */
type TrunkField = Shown &
  (
    | { kind: 'text' | 'optional' | 'number' | 'secret' | 'digits' | 'list' | 'clis'; blank?: string }
    | { kind: 'flag'; blank?: boolean }
    /** Without options it has a picker of its own, whose ids are sent, and 0 for none. */
    | { kind: 'choice'; options?: readonly string[]; blank?: string }
    | { kind: 'several'; options: readonly string[]; blank: readonly string[] }
  )

const contract = { tab: 'contract' } as const
const sip = { tab: 'sip' } as const
const numbers = { tab: 'numbers' } as const
const who = { tab: 'advanced', group: 'identity' } as const
const route = { tab: 'advanced', group: 'route' } as const
const calls = { tab: 'advanced', group: 'calls' } as const
const sound = { tab: 'advanced', group: 'sound' } as const

/**
 * Every field of the form, by its name on the wire, in the order of the screen. Type, blank values, what is shown, what is sent and where an
 * error stands follow from here; labels and hints are in the texts under the same names.
 */
const ownFields = {
  trunkName: { kind: 'text', ...contract, required: true, maxLength: 100 },
  pilotNumber: { kind: 'text', ...contract, required: true, maxLength: 40, inputMode: 'tel' },
  dialerId: { kind: 'choice', ...contract, required: true },
  channels: { kind: 'number', ...contract, required: true },
  cps: { kind: 'number', ...contract, required: true },
  contractId: { kind: 'choice', ...contract },
} as const satisfies Record<Exclude<keyof Sent, 'sip'>, TrunkField>

/** Those of `sip`. A field that the contract has and this list lacks does not compile. Those without `blank` begin as on a plain trunk. */
const sipFields = {
  host: { kind: 'optional', ...sip, maxLength: 253 },
  port: { kind: 'number', ...sip },
  transport: { kind: 'choice', ...sip, options: sipTransports, blank: 'udp' },
  user: { kind: 'optional', ...sip, maxLength: 100 },
  secret: { kind: 'secret', ...sip, maxLength: 200 },
  registers: { kind: 'flag', ...sip },
  codecs: { kind: 'several', ...sip, options: sipCodecs, blank: ['alaw', 'ulaw'] },
  ringSeconds: { kind: 'number', ...sip, blank: String(ringSecondsDefault) },
  cliFormat: { kind: 'choice', ...numbers, options: cliFormats, blank: 'national' },
  cliHeader: { kind: 'choice', ...numbers, options: cliHeaders, blank: 'auto' },
  numberStrip: { kind: 'optional', ...numbers, maxLength: 40, inputMode: 'numeric' },
  numberPrefix: { kind: 'optional', ...numbers, maxLength: 40, inputMode: 'tel' },
  testNumber: { kind: 'optional', ...numbers, maxLength: 40, inputMode: 'tel' },
  authUser: { kind: 'text', ...who },
  fromDomain: { kind: 'text', ...who },
  contactUser: { kind: 'text', ...who },
  identityHeader: { kind: 'choice', ...who, options: identityHeaders },
  diversion: { kind: 'digits', ...who, maxLength: 40, inputMode: 'tel' },
  userPhone: { kind: 'flag', ...who },
  aors: { kind: 'list', ...who },
  shownClis: { kind: 'clis', ...who },
  outboundProxy: { kind: 'text', ...route },
  hosts: { kind: 'list', ...route },
  byDns: { kind: 'flag', ...route },
  addresses: { kind: 'list', ...route },
  sendsOptions: { kind: 'flag', ...route },
  rewriteContact: { kind: 'flag', ...route },
  clientCertificate: { kind: 'text', ...calls },
  dtmf: { kind: 'choice', ...calls, options: dtmfModes },
  rel100: { kind: 'choice', ...calls, options: rel100Modes },
  sessionTimers: { kind: 'choice', ...calls, options: sessionTimerModes },
  sessionSeconds: { kind: 'number', ...calls },
  silentSeconds: { kind: 'number', ...calls },
  srtp: { kind: 'flag', ...sound },
  rtpTimeoutSeconds: { kind: 'number', ...sound },
  ptimeMs: { kind: 'number', ...sound },
  rtpDscp: { kind: 'number', ...sound },
} as const satisfies Record<keyof SipSent, TrunkField>

type Fields = typeof ownFields & typeof sipFields
export type TrunkName = keyof Fields
type ValueOf<F> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'choice' }
    ? string | null
    : F extends { kind: 'several' }
      ? string[]
      : string
/** Numbers and lists are kept as typed. */
export type TrunkValues = { [Name in TrunkName]: ValueOf<Fields[Name]> }

type Entries = [TrunkName, TrunkField][]
const ownEntries = Object.entries(ownFields) as Entries
const sipEntries = Object.entries(sipFields) as Entries
export const trunkFields: Entries = [...ownEntries, ...sipEntries]

/** The form's field of each name on the wire, for the errors of the server. */
export const fieldsOfTrunk = Object.fromEntries(sipEntries.map(([name]) => [`sip.${name}`, name]))

function typed(field: TrunkField, value: unknown): TrunkValues[TrunkName] {
  if (field.kind === 'flag') return value === true
  if (field.kind === 'several') return Array.isArray(value) ? value.map(String) : []
  if (field.kind === 'choice') return value === null || value === undefined ? null : String(value)
  if (field.kind === 'secret' || value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const valuesOf = (entries: Entries, from: object) =>
  Object.fromEntries(entries.map(([name, field]) => [name, typed(field, ownValue({ ...from }, name))]))

const plain = { ...Object.fromEntries(sipEntries.map(([name, { blank }]) => [name, blank])), ...plainSipOptions }
export const blankTrunk = { ...valuesOf(ownEntries, {}), ...valuesOf(sipEntries, plain) } as TrunkValues

export function valuesOfTrunk({ sip: operator, ...trunk }: TrunkDetail): TrunkValues {
  return { ...valuesOf(ownEntries, trunk), ...valuesOf(sipEntries, operator) } as TrunkValues
}

/** What a preset fills in. */
export function valuesOfPreset({ options, ...preset }: TrunkPreset): Partial<TrunkValues> {
  const filled = { ...preset, ...options }
  return valuesOf(
    sipEntries.filter(([name]) => Object.hasOwn(filled, name)),
    filled,
  )
}

const listed = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '')
/** Numbers may be written with blanks, and lines divide them as commas do. */
const clisIn = (text: string): string[] => text.split(/[,;\n]+/).flatMap((one) => one.replaceAll(/\s/g, '') || [])

function sent({ kind }: TrunkField, value: TrunkValues[TrunkName]): unknown {
  if (typeof value !== 'string') return value ?? undefined
  if (kind === 'choice') return value
  if (kind === 'secret') return value === '' ? undefined : value
  if (kind === 'list') return listed(value)
  if (kind === 'clis') return clisIn(value)
  if (kind === 'digits') return value.replaceAll(/[\s-]/g, '')
  return kind === 'text' ? value.trim() : value.trim() || undefined
}

const sentOf = (entries: Entries, values: TrunkValues) =>
  Object.fromEntries(entries.map(([name, field]) => [name, sent(field, values[name])]))

export function toCreateTrunk(values: TrunkValues): Sent {
  const own = { ...sentOf(ownEntries, values), contractId: values.contractId ?? 0 }
  return { ...own, sip: sentOf(sipEntries, values) } as Sent
}

export function toUpdateTrunk(trunkId: number, values: TrunkValues): SentOf<typeof trunkRoutes.update> {
  return { trunkId, ...toCreateTrunk(values) }
}

const required = (value: unknown) => (String(value ?? '').trim() ? null : 'is required')
/** What is refused before anything is sent. */
export const trunkRules = Object.fromEntries(
  trunkFields.flatMap(([name, field]) => (field.required || field.kind === 'several' ? [[name, required]] : [])),
)
