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
import {
  blankValues,
  bodyFrom,
  formNames,
  rulesOf,
  valuesFrom,
  valuesOfSome,
  type TypedField,
  type TypedValues,
} from '../../components/form/typed/typed-fields.ts'

export type TrunkDetail = ReplyOf<typeof trunkRoutes.detail>
type Sent = SentOf<typeof trunkRoutes.create>
type SipSent = NonNullable<Sent['sip']>

export const trunkTabs = ['contract', 'sip', 'numbers', 'advanced'] as const
export type TrunkTab = (typeof trunkTabs)[number]
export const trunkGroups = ['identity', 'route', 'calls', 'sound'] as const

type TrunkField = TypedField & {
  tab: TrunkTab
  /** Of the tab 'advanced'. */
  group?: (typeof trunkGroups)[number]
}

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

export const trunkList = { ...ownFields, ...inSip(sipFields) }
type Fields = typeof ownFields & typeof sipFields
export type TrunkName = keyof Fields
export type TrunkValues = TypedValues<Fields>
export const trunkFields = Object.entries(trunkList) as [TrunkName, TrunkField][]

function inSip(list: Readonly<Record<string, TrunkField>>): Record<string, TrunkField> {
  return Object.fromEntries(Object.entries(list).map(([name, field]) => [name, { ...field, wire: `sip.${name}` }]))
}

/** The form's field of each name on the wire, for the errors of the server. */
export const fieldsOfTrunk = formNames(trunkList) as Record<string, TrunkName>

const plain = valuesOfSome(trunkList, { sip: plainSipOptions })
export const blankTrunk = { ...blankValues(trunkList), ...plain } as TrunkValues

export const valuesOfTrunk = (trunk: TrunkDetail) => valuesFrom(trunkList, trunk) as TrunkValues

/** What a preset fills in. */
export function valuesOfPreset({ options, ...preset }: TrunkPreset): Partial<TrunkValues> {
  return valuesOfSome(trunkList, { sip: { ...preset, ...options } }) as Partial<TrunkValues>
}

export function toCreateTrunk(values: TrunkValues): Sent {
  return { ...bodyFrom(trunkList, values), contractId: values.contractId ?? 0 } as Sent
}

export function toUpdateTrunk(trunkId: number, values: TrunkValues): SentOf<typeof trunkRoutes.update> {
  return { trunkId, ...toCreateTrunk(values) }
}

/** What is refused before anything is sent. */
export const trunkRules = rulesOf(trunkList)
