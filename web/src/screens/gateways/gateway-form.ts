import {
  httpMethods,
  smsAlphabets,
  smsBinds,
  smsDrivers,
  smsLongMessages,
  type GatewayDetail,
  type smsGatewayRoutes,
} from '@ghanti/contract/sms-gateways.ts'
import type { SentOf } from '../../api/client.ts'

/** What the form holds; numbers as they were typed. */
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
}

/** What most local aggregators take: their four names in a form. */
export const localAggregator = {
  method: 'POST',
  headers: '{"Content-Type": "application/x-www-form-urlencoded"}',
  body: 'token={token}&from={from}&to={to}&text={text}',
} as const satisfies Partial<GatewayValues>

const text = (value: string | number | null) => (value === null ? '' : String(value))

export function valuesOfGateway(gateway: GatewayDetail): GatewayValues {
  const { headers } = gateway
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
    headers: headers && Object.keys(headers).length > 0 ? JSON.stringify(headers) : '',
    body: text(gateway.body),
    token: '',
    success: text(gateway.success),
    messageId: text(gateway.messageId),
  }
}

const given = (value: string) => value.trim() || undefined
const secret = (value: string) => (value === '' ? undefined : value)
const oneOf = <T extends string>(all: readonly T[], value: string | null) => all.find((one) => one === value)

/** Of the chosen kind what belongs to it; the rest of the form is left out. */
export function toGateway(values: GatewayValues, kept: GatewayDetail | null): SentOf<typeof smsGatewayRoutes.create> {
  const driver = oneOf(smsDrivers, values.driver) ?? 'smpp'
  const all = {
    gatewayName: values.gatewayName.trim(),
    driver,
    window: given(values.window),
    tps: values.tps.trim(),
    unknownCharged: kept?.unknownCharged ?? undefined,
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
      receipt: kept?.receipt ?? undefined,
      incoming: kept?.incoming ?? undefined,
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
