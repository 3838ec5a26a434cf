import {
  httpMethods,
  smsAlphabets,
  smsBinds,
  smsDrivers,
  smsLongMessages,
  type GatewayDetail,
  type smsGatewayRoutes,
} from '@ghanti/contract/sms-gateways.ts'
import { httpPresets, type HttpPreset } from '@ghanti/contract/sms-gateway-presets.ts'
import type { SentOf } from '../../api/client.ts'
import {
  blankValues,
  bodyFrom,
  valuesFrom,
  valuesOfSome,
  type TypedField,
  type TypedValues,
} from '../../components/form/typed/typed-fields.ts'
import type { TextsOf } from '../../i18n/areas.ts'

/** Charges for messages about which nothing was heard for 72 hours. */
const unknownCharges = ['answered', 'always', 'never'] as const
const chargedBy = { answered: undefined, always: true, never: false } as const

type Sent = SentOf<typeof smsGatewayRoutes.create>
type Texts = TextsOf<'gatewayForms'>
export const gatewayParts = ['smpp', 'http', 'callback'] as const
type GatewayField = TypedField & {
  /** Where it stands: without a part, above all. A gateway sends only the fields of its driver. */
  part?: (typeof gatewayParts)[number]
  /** The hint, where it is not that of its own name. */
  hint?: keyof Texts['hints']
  /** What its options are called. */
  words?: (t: Texts) => Readonly<Record<string, string>>
}

const smpp = { part: 'smpp' } as const
const http = { part: 'http' } as const
const parameter = { part: 'callback', kind: 'text', maxLength: 200 } as const
const statuses = { part: 'callback', kind: 'commas' } as const

/**
 * Every field of the form, in the order of the screen. Type, blank values, what is shown, what is sent and where an error stands follow from
 * here; labels and hints are in the texts under the same names.
 */
export const gatewayFields = {
  gatewayName: { kind: 'text', required: true, maxLength: 100 },
  driver: { kind: 'choice', required: true, options: smsDrivers, blank: 'smpp' },
  tps: { kind: 'whole', required: true, blank: '10' },
  window: { kind: 'number', blank: '10' },
  unknownCharged: { kind: 'choice', options: unknownCharges, blank: 'answered', words: (t) => t.charges },
  host: { kind: 'optional', ...smpp, required: true, maxLength: 253 },
  port: { kind: 'number', ...smpp, required: true, blank: '2775' },
  systemId: { kind: 'optional', ...smpp, required: true, maxLength: 15 },
  password: { kind: 'secret', ...smpp, maxLength: 64 },
  tls: { kind: 'flag', ...smpp },
  certificate: { kind: 'optional', ...smpp, maxLength: 100 },
  bind: { kind: 'choice', ...smpp, options: smsBinds, blank: 'transceiver', words: (t) => t.binds },
  alphabet: { kind: 'choice', ...smpp, options: smsAlphabets, blank: 'gsm7', words: (t) => t.alphabets },
  longMessages: { kind: 'choice', ...smpp, options: smsLongMessages, blank: 'udh', words: (t) => t.longs },
  sourceTon: { kind: 'number', ...smpp, hint: 'source' },
  sourceNpi: { kind: 'number', ...smpp, hint: 'source' },
  destTon: { kind: 'number', ...smpp, blank: '1' },
  destNpi: { kind: 'number', ...smpp, blank: '1' },
  systemType: { kind: 'optional', ...smpp, maxLength: 12 },
  serviceType: { kind: 'optional', ...smpp, maxLength: 5 },
  method: { kind: 'choice', ...http, options: httpMethods, blank: 'POST' },
  url: { kind: 'optional', ...http, required: true, maxLength: 1000, inputMode: 'url' },
  token: { kind: 'secret', ...http, maxLength: 200 },
  headers: { kind: 'area', ...http },
  body: { kind: 'area', ...http, maxLength: 5000 },
  success: { kind: 'optional', ...http, required: true, maxLength: 500 },
  messageId: { kind: 'optional', ...http, maxLength: 500 },
  receiptSecret: { kind: 'secret', part: 'callback', maxLength: 200 },
  receiptId: { ...parameter, wire: 'receipt.id' },
  receiptStatus: { ...parameter, wire: 'receipt.status' },
  receiptDelivered: { ...statuses, wire: 'receipt.delivered', hint: 'values' },
  receiptFailed: { ...statuses, wire: 'receipt.failed', hint: 'values' },
  receiptPending: { ...statuses, wire: 'receipt.pending', hint: 'pending' },
  incomingFrom: { ...parameter, wire: 'incoming.from' },
  incomingTo: { ...parameter, wire: 'incoming.to' },
  incomingText: { ...parameter, wire: 'incoming.text' },
} as const satisfies Record<Exclude<keyof Sent, 'receipt' | 'incoming'>, GatewayField> & Record<string, GatewayField>

export type GatewayName = keyof typeof gatewayFields
export type GatewayValues = TypedValues<typeof gatewayFields>
export const gatewayRows = Object.entries(gatewayFields) as [GatewayName, GatewayField][]

export const blankGateway = blankValues(gatewayFields)

export function valuesOfGateway(gateway: GatewayDetail): GatewayValues {
  const { unknownCharged } = gateway
  const charged = unknownCharged === null ? null : unknownCharged ? 'always' : 'never'
  return valuesFrom(gatewayFields, { ...gateway, headers: headersText(gateway.headers), unknownCharged: charged })
}

function headersText(headers: Readonly<Record<string, string>> | null): string {
  return headers && Object.keys(headers).length > 0 ? JSON.stringify(headers) : ''
}

/** The fields that a usual form of requests fills in; an address stays as it is where the form has none of its own. */
export function valuesOfPreset(name: HttpPreset['name']): Partial<GatewayValues> {
  const preset = httpPresets.find((one) => one.name === name)
  if (!preset) return {}
  const url = preset.url === undefined ? undefined : `${preset.url}${preset.query}`
  return valuesOfSome(gatewayFields, { ...preset, name: undefined, url, headers: headersText(preset.headers) })
}

/** What it checks before anything is sent: the fields of a part that is not shown are not asked for. */
export const gatewayRules = {
  gatewayName: required,
  driver: required,
  tps: required,
}
function required(value: string | null): string | null {
  return value?.trim() ? null : 'is required'
}

/** Nothing where all is blank: this gateway sends no callbacks. */
const someOf = (group: unknown) =>
  Object.values(group ?? {}).some((value) => value !== '' && !(Array.isArray(value) && value.length === 0))
    ? group
    : undefined

/** Only the fields of the chosen driver. */
export function toGateway(values: GatewayValues): Sent {
  const driver = smsDrivers.find((one) => one === values.driver) ?? 'smpp'
  const parts: Readonly<Record<typeof driver, readonly string[]>> = {
    simulator: [],
    smpp: ['smpp'],
    http: ['http', 'callback'],
  }
  const own = gatewayRows.filter(([, { part }]) => part === undefined || parts[driver].includes(part))
  const { receipt, incoming, ...body } = bodyFrom(Object.fromEntries(own), values)
  const unknownCharged = chargedBy[unknownCharges.find((one) => one === values.unknownCharged) ?? 'answered']
  return { ...body, driver, unknownCharged, receipt: someOf(receipt), incoming: someOf(incoming) } as Sent
}
