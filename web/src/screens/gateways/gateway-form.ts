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

/** Numbers are kept as typed. */
export type GatewayValues = {
  gatewayName: string
  driver: string | null
  window: string
  tps: string
  host: string
  port: string
  systemId: string
  password: string
  systemType: string
  bind: string | null
  tls: boolean
  certificate: string
  alphabet: string | null
  longMessages: string | null
  sourceTon: string
  sourceNpi: string
  destTon: string
  destNpi: string
  serviceType: string
  method: string | null
  url: string
  headers: string
  body: string
  token: string
  success: string
  messageId: string
  unknownCharged: string | null
  receiptSecret: string
  receiptId: string
  receiptStatus: string
  /** Values separated by commas, as in the next two. */
  receiptDelivered: string
  receiptFailed: string
  receiptPending: string
  incomingFrom: string
  incomingTo: string
  incomingText: string
}

export const blankGateway: GatewayValues = {
  gatewayName: '',
  driver: 'smpp',
  window: '10',
  tps: '10',
  host: '',
  port: '2775',
  systemId: '',
  password: '',
  systemType: '',
  bind: 'transceiver',
  tls: false,
  certificate: '',
  alphabet: 'gsm7',
  longMessages: 'udh',
  sourceTon: '',
  sourceNpi: '',
  destTon: '1',
  destNpi: '1',
  serviceType: '',
  method: 'POST',
  url: '',
  headers: '',
  body: '',
  token: '',
  success: '',
  messageId: '',
  unknownCharged: 'answered',
  receiptSecret: '',
  receiptId: '',
  receiptStatus: '',
  receiptDelivered: '',
  receiptFailed: '',
  receiptPending: '',
  incomingFrom: '',
  incomingTo: '',
  incomingText: '',
}

/** Form fields by wire name, where they differ. */
export const gatewayFields = {
  'receipt.id': 'receiptId',
  'receipt.status': 'receiptStatus',
  'receipt.delivered': 'receiptDelivered',
  'receipt.failed': 'receiptFailed',
  'receipt.pending': 'receiptPending',
  'incoming.from': 'incomingFrom',
  'incoming.to': 'incomingTo',
  'incoming.text': 'incomingText',
} as const satisfies Record<string, keyof GatewayValues>

/** Charges for messages about which nothing was heard for 72 hours. */
export const unknownCharges = ['answered', 'always', 'never'] as const
const chargedBy = { answered: undefined, always: true, never: false } as const

/** The fields that a usual form of requests fills in; an address stays as it is where the form has none of its own. */
export function valuesOfPreset(name: HttpPreset['name']): Partial<GatewayValues> {
  const preset = httpPresets.find((one) => one.name === name)
  if (!preset) return {}
  const { method, url, query, headers, body, success, messageId, receipt } = preset
  return {
    method,
    ...(url !== undefined && { url: `${url}${query}` }),
    headers: headersText(headers),
    body,
    success,
    messageId,
    ...(receipt && receiptValues(receipt)),
  }
}

function headersText(headers: Readonly<Record<string, string>> | null): string {
  return headers && Object.keys(headers).length > 0 ? JSON.stringify(headers) : ''
}

function receiptValues(receipt: GatewayDetail['receipt']) {
  return {
    receiptId: receipt?.id ?? '',
    receiptStatus: receipt?.status ?? '',
    receiptDelivered: receipt?.delivered.join(', ') ?? '',
    receiptFailed: receipt?.failed.join(', ') ?? '',
    receiptPending: receipt?.pending.join(', ') ?? '',
  }
}

const text = (value: string | number | null) => (value === null ? '' : String(value))

export function valuesOfGateway(gateway: GatewayDetail): GatewayValues {
  const { headers, receipt, incoming, unknownCharged } = gateway
  return {
    gatewayName: gateway.gatewayName,
    driver: gateway.driver,
    window: text(gateway.window),
    tps: text(gateway.tps),
    host: text(gateway.host),
    port: text(gateway.port),
    systemId: text(gateway.systemId),
    password: '',
    systemType: text(gateway.systemType),
    bind: gateway.bind ?? blankGateway.bind,
    tls: gateway.tls ?? false,
    certificate: text(gateway.certificate),
    alphabet: gateway.alphabet ?? blankGateway.alphabet,
    longMessages: gateway.longMessages ?? blankGateway.longMessages,
    sourceTon: text(gateway.sourceTon),
    sourceNpi: text(gateway.sourceNpi),
    destTon: text(gateway.destTon),
    destNpi: text(gateway.destNpi),
    serviceType: text(gateway.serviceType),
    method: gateway.method ?? blankGateway.method,
    url: text(gateway.url),
    headers: headersText(headers),
    body: text(gateway.body),
    token: '',
    success: text(gateway.success),
    messageId: text(gateway.messageId),
    unknownCharged: unknownCharged === null ? 'answered' : unknownCharged ? 'always' : 'never',
    receiptSecret: '',
    ...receiptValues(receipt),
    incomingFrom: incoming?.from ?? '',
    incomingTo: incoming?.to ?? '',
    incomingText: incoming?.text ?? '',
  }
}

const given = (value: string) => value.trim() || undefined
const secret = (value: string) => (value === '' ? undefined : value)
const oneOf = <T extends string>(all: readonly T[], value: string | null) => all.find((one) => one === value)

const listed = (value: string) =>
  value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Undefined when empty: this gateway sends no callbacks. */
function receiptOf(values: GatewayValues) {
  const { receiptId, receiptStatus, receiptDelivered, receiptFailed, receiptPending } = values
  if (![receiptId, receiptStatus, receiptDelivered, receiptFailed, receiptPending].some(given)) return undefined
  return {
    id: receiptId.trim(),
    status: receiptStatus.trim(),
    delivered: listed(receiptDelivered),
    failed: listed(receiptFailed),
    pending: listed(receiptPending),
  }
}

function incomingOf({ incomingFrom, incomingTo, incomingText }: GatewayValues) {
  if (![incomingFrom, incomingTo, incomingText].some(given)) return undefined
  return { from: incomingFrom.trim(), to: incomingTo.trim(), text: incomingText.trim() }
}

/** Only the fields of the chosen driver. */
export function toGateway(values: GatewayValues): SentOf<typeof smsGatewayRoutes.create> {
  const driver = oneOf(smsDrivers, values.driver) ?? 'smpp'
  const all = {
    gatewayName: values.gatewayName.trim(),
    driver,
    window: given(values.window),
    tps: values.tps.trim(),
    unknownCharged: chargedBy[oneOf(unknownCharges, values.unknownCharged) ?? 'answered'],
  }
  if (driver === 'simulator') return all
  if (driver === 'http')
    return {
      ...all,
      method: oneOf(httpMethods, values.method),
      url: given(values.url),
      headers: given(values.headers),
      body: given(values.body),
      token: secret(values.token),
      success: given(values.success),
      messageId: given(values.messageId),
      receiptSecret: secret(values.receiptSecret),
      receipt: receiptOf(values),
      incoming: incomingOf(values),
    }
  return {
    ...all,
    host: given(values.host),
    port: given(values.port),
    systemId: given(values.systemId),
    password: secret(values.password),
    systemType: given(values.systemType),
    bind: oneOf(smsBinds, values.bind),
    tls: values.tls,
    certificate: given(values.certificate),
    alphabet: oneOf(smsAlphabets, values.alphabet),
    longMessages: oneOf(smsLongMessages, values.longMessages),
    sourceTon: given(values.sourceTon),
    sourceNpi: given(values.sourceNpi),
    destTon: given(values.destTon),
    destNpi: given(values.destNpi),
    serviceType: given(values.serviceType),
  }
}
