import type { GatewayDetail, GatewayRow, GatewayTest } from '@ghanti/contract/sms-gateways.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import { operatorLabel } from '@ghanti/contract/operators.ts'
import { operatorsOf } from '@ghanti/contract/sms-senders.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import * as z from 'zod/mini'
import { placeOf, settingsOf, type Secrets } from './rules-settings.ts'
import type { Gateway, GatewayListed, GatewayTestRow, ReceiptCounts } from './store.ts'

export const gatewayWords = {
  sameLogin: (gateway: string) =>
    `is the login of gateway '${gateway}' at this address: the centre would send the receipts of one to the other`,
  onlyInDemo: 'belongs to the demo, which has no DATABASE_URL',
  tokenMissing: 'is required: {token} stands in the request',
  callbackMissing: 'is required: {callback} stands in the request',
  secretAgain: 'is required again when the address changes',
  onRoutes: (routes: string) => `is on the way of ${routes}: change these routes first`,
  inFlight: (messages: number) =>
    `has ${messages} ${messages === 1 ? 'message' : 'messages'} in flight: disable it and wait until they are answered`,
  disabled: 'is disabled: enable it first',
  noEngine: 'cannot be tested: no engine is connected with it',
  testing: 'is being tested already',
  noMobile: 'takes no messages: it is not a mobile number',
  blacklisted: 'is blacklisted',
  notTaken: 'no engine took it up within 10 seconds',
  lost: 'the engine that ran it went away: nobody knows how it ended',
}

/** 'Nepal Telecom, Ncell (HimalBank)'. */
export function routeName(route: { operators: number[]; sender: string | null }): string {
  const operators = operatorsOf(route.operators)
    .map((operator) => operatorLabel[operator])
    .join(', ')
  return route.sender === null ? operators : `${operators} (${route.sender})`
}

function fieldsOf(gateway: Gateway) {
  const { window, tps } = settingsOf(gateway.driver, gateway.settings)
  return {
    gatewayId: gateway.id,
    gatewayName: gateway.name,
    driver: gateway.driver,
    enabled: gateway.enabled,
    hasSecret: gateway.secrets_sealed !== null,
    window,
    tps,
    unknownCharged: gateway.unknown_charged,
  }
}

export function rowOf(row: GatewayListed): GatewayRow {
  return { ...fieldsOf(row), place: placeOf(row), routes: row.routes, state: stateOf(row) }
}

function stateOf(row: GatewayListed): GatewayRow['state'] {
  if (row.bound === null) return null
  return {
    bound: row.bound,
    windowUsed: row.window_used ?? 0,
    perSecond: row.per_second ?? 0,
    waiting: row.waiting ?? 0,
    held: row.held_reason,
    lastError: row.last_error,
    lastErrorTime: row.last_error_at && nepalTimeOf(row.last_error_at),
  }
}

const noSettings = {
  host: null,
  port: null,
  systemId: null,
  systemType: null,
  bind: null,
  tls: null,
  certificate: null,
  sourceTon: null,
  sourceNpi: null,
  destTon: null,
  destNpi: null,
  alphabet: null,
  longMessages: null,
  serviceType: null,
  method: null,
  url: null,
  headers: null,
  body: null,
  success: null,
  messageId: null,
  receipt: null,
  incoming: null,
} satisfies Partial<GatewayDetail>

/** `secrets`: only which of them are known is shown. */
export function detailOf(
  gateway: Gateway,
  { password, token, receiptSecret }: Secrets,
  counts: ReceiptCounts,
): GatewayDetail {
  const known = { hasSecret: (password ?? token) !== undefined, hasReceiptSecret: receiptSecret !== undefined }
  const fields = { ...noSettings, ...fieldsOf(gateway), ...known, receipts: receiptsOf(counts) }
  if (gateway.driver === 'simulator') return fields
  return { ...fields, ...settingsOf(gateway.driver, gateway.settings) }
}

const Samples = z.array(z.object({ at: z.string(), text: z.string() }))

function receiptsOf({
  receipts,
  repeated,
  unmatched,
  not_understood,
  samples,
}: ReceiptCounts): GatewayDetail['receipts'] {
  return {
    applied: receipts ?? 0,
    repeated: repeated ?? 0,
    unmatched: unmatched ?? 0,
    notUnderstood: not_understood ?? 0,
    samples: z.parse(Samples, samples ?? []).map(({ at, text }) => ({ time: nepalTimeOf(new Date(at)), text })),
  }
}

const statusOf = {
  waiting: 'Waiting',
  submitted: 'Submitted',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
  unknown: 'Unknown',
} as const

/** A test that no engine took, or whose engine has gone, is over. */
export function testOf(test: GatewayTestRow): GatewayTest {
  const { id, gateway_id, kind, phone, asked_at, taken_at, state, reason, ended_at, overdue } = test
  const end = overdue
    ? taken_at === null
      ? ({ deliveryStatus: 'Failed', reason: gatewayWords.notTaken } as const)
      : ({ deliveryStatus: 'Unknown', reason: gatewayWords.lost } as const)
    : { deliveryStatus: statusOf[state], reason }
  return {
    testId: id,
    gatewayId: gateway_id,
    testKind: kind,
    mobile: phone === null ? null : nationalOf(String(phone)),
    askedAt: nepalTimeOf(asked_at),
    isOver: overdue || ended_at !== null,
    ...end,
  }
}
