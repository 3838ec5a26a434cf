import { ownValue } from './own-values.ts'
import * as z from 'zod/mini'
import { choices } from './filters.ts'
import { DialHost, Port, Secret } from './lines-values.ts'
import { json, list, type ReplyOf, type RowOf } from './route.ts'
import { callbackRuleOf } from './sms-callback-rule.ts'
import { idRuleOf, successRuleOf } from './sms-reply-rule.ts'
import { SenderName } from './sms-senders.ts'
import { jsonOr } from './bounded-json.ts'
import { between, Id, Message, Name, OneLine, orRequired, Paragraph, Text, wireInt, WrittenNumber } from './values.ts'

export const smsDrivers = ['simulator', 'smpp', 'http'] as const
export type SmsDriverName = (typeof smsDrivers)[number]
export const smsBinds = ['transceiver', 'pair'] as const
export const smsAlphabets = ['gsm7', 'gsm7packed', 'latin1'] as const
export const smsLongMessages = ['udh', 'sar', 'payload'] as const
export const httpMethods = ['GET', 'POST'] as const
const testKinds = ['ping', 'message'] as const

const urlError = 'must begin with http:// or https://'
/**
 * A URL template. Like headers and body it may contain {from}, {to} (the number without 977), {text}, {id} (our message id), {token} (its secret),
 * {coding} (2 for UCS-2, else 0), {unicode} (1 for UCS-2, else 0), {parts} (how many segments) and {callback} (the address for its receipts, with
 * their secret). The host must not depend on them.
 */
const UrlTemplate = Text(1000).check(
  z.refine((url) => /^https?:\/\//i.test(url), { error: urlError, abort: true }),
  z.refine((url) => hostOfUrl(url) !== null, { error: 'is not an address, or has a place like {to} in its host' }),
  z.refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), { error: 'must not hold a user: put it into a header' }),
)

/** In lower case, as browsers send it; null when the URL is invalid or its host contains a placeholder. */
export function hostOfUrl(url: string): string | null {
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  if (authority === '' || /[{}]/.test(authority)) return null
  try {
    return new URL(`http://${authority}`).hostname.replace(/^\[(.*)\]$/, '$1') || null
  } catch {
    return null
  }
}

const headerError = 'must be headers like {"Content-Type": "application/json"}'
const Header = OneLine({ error: headerError }).check(z.maxLength(1000, { error: 'is longer than 1000 characters' }))
const Headers = jsonOr(
  z
    .record(
      OneLine({ error: headerError }).check(z.regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, { error: headerError })),
      Header,
      {
        error: headerError,
      },
    )
    .check(
      z.refine((headers) => Object.keys(headers).length <= 30, { error: 'has more than 30 headers' }),
      z.refine(hidesItsSecret, { error: 'must have {token} where the secret stands: headers are shown' }),
    ),
)
function hidesItsSecret(headers: Record<string, string>): boolean {
  return Object.entries(headers).every(
    ([name, value]) => !/authorization|api-?key/i.test(name) || value.includes('{token}'),
  )
}

const successError = 'is no rule: write it like $.status = 200, or a text like OK*'
const idError = 'is no rule: write it like $.data[0].id, or a text with {id} like OK: {id}'
/** Read by sms-reply-rule.ts. */
const SuccessRule = Text(500).check(z.refine((rule) => successRuleOf(rule) !== null, { error: successError }))
const IdRule = Text(500).check(z.refine((rule) => idRuleOf(rule) !== null, { error: idError }))
const parameterError = 'is no rule: write a name like msgid, or a path like $.results[*].id'
/** Read by sms-callback-rule.ts. */
const Parameter = Text(200).check(z.refine((rule) => callbackRuleOf(rule) !== null, { error: parameterError }))
const Values = jsonOr(
  z.array(Text(100), { error: 'must be a list of texts' }).check(z.maxLength(50, { error: 'has more than 50 texts' })),
)
/** Where a callback has id and status, and what the values of the status mean. Others are read by the table of states. */
const ReceiptNames = z.object({
  id: Parameter,
  status: Parameter,
  delivered: Values,
  failed: Values,
  pending: z._default(Values, []),
})
const IncomingNames = z.object({ from: Parameter, to: Parameter, text: Parameter })

const Ton = wireInt(0, 7)
const certificateError = 'must be the SHA-256 of a certificate: 64 hexadecimal digits'
const ofSmpp = {
  host: z.optional(DialHost),
  port: z.optional(Port),
  systemId: z.optional(Text(15)),
  /** Left out on update: unchanged. */
  password: z.optional(Secret.check(z.maxLength(64, { error: 'is longer than 64 characters' }))),
  systemType: z.optional(Text(12)),
  bind: z._default(z.enum(smsBinds), 'transceiver'),
  tls: z._default(z.boolean(), false),
  certificate: z.optional(
    OneLine({ error: certificateError }).check(
      z.regex(/^([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i, { error: certificateError }),
    ),
  ),
  /** Left out: depends on the sender ID's form. */
  sourceTon: z.optional(Ton),
  sourceNpi: z.optional(wireInt(0, 18)),
  destTon: z._default(Ton, 1),
  destNpi: z._default(wireInt(0, 18), 1),
  alphabet: z._default(z.enum(smsAlphabets), 'gsm7'),
  longMessages: z._default(z.enum(smsLongMessages), 'udh'),
  serviceType: z.optional(Text(5)),
}
const ofHttp = {
  method: z._default(z.enum(httpMethods), 'POST'),
  url: z.optional(UrlTemplate),
  headers: z.optional(Headers),
  body: z.optional(Paragraph(5000)),
  /** Left out on update: unchanged. */
  token: z.optional(Secret),
  success: z.optional(SuccessRule),
  messageId: z.optional(IdRule),
  /** The `?secret=` of callbacks. Left out on update: unchanged. */
  receiptSecret: z.optional(Secret.check(z.minLength(16, { error: 'must have at least 16 characters' }))),
  receipt: z.optional(ReceiptNames),
  incoming: z.optional(IncomingNames),
}

/** Fields of all drivers; those of other drivers are ignored. */
const Gateway = {
  gatewayName: Name,
  driver: z.enum(smsDrivers, orRequired(`must be one of ${smsDrivers.join(', ')}`)),
  /** Unanswered segments. */
  window: z._default(wireInt(1, 1000), 10),
  /** Segments per second. */
  tps: wireInt(1, 10_000),
  /** Whether to charge a message about which nothing was heard for 72 h; left out: charged if its submission was answered. */
  unknownCharged: z.optional(z.boolean()),
  ...ofSmpp,
  ...ofHttp,
}

const needs = (driver: SmsDriverName, field: string) =>
  between(field, (said) => said['driver'] !== driver || ownValue(said, field) !== undefined, 'is required')
const isSaid = (said: Record<string, unknown>, place: string) =>
  [said['url'], said['body'], JSON.stringify(said['headers'] ?? {})].some((part) => String(part ?? '').includes(place))
const holds = (place: string) =>
  between(
    'url',
    (said) => said['driver'] !== 'http' || said['url'] === undefined || isSaid(said, place),
    `must have ${place}, here or in the body`,
  )
const rules = [
  needs('smpp', 'host'),
  needs('smpp', 'port'),
  needs('smpp', 'systemId'),
  needs('http', 'url'),
  needs('http', 'success'),
  holds('{to}'),
  holds('{text}'),
  between('certificate', (said) => said['certificate'] === undefined || said['tls'] === true, 'is for TLS alone'),
] as const

const GatewayIdInput = z.object({ gatewayId: Id })
const Fields = {
  gatewayId: z.number(),
  gatewayName: z.string(),
  driver: z.enum(smsDrivers),
  enabled: z.boolean(),
  /** Whether a password or token is stored; secrets are never sent back. */
  hasSecret: z.boolean(),
  window: z.number(),
  tps: z.number(),
  unknownCharged: z.nullable(z.boolean()),
}

/** What the engine connected with it last reported; null when none is. */
const GatewayState = z.nullable(
  z.object({
    bound: z.boolean(),
    windowUsed: z.number(),
    perSecond: z.number(),
    waiting: z.number(),
    /** Why nothing is sent after faults. */
    held: z.nullable(z.string()),
    lastError: z.nullable(z.string()),
    lastErrorTime: z.nullable(z.string()),
  }),
)
const text = z.nullable(z.string())
const number = z.nullable(z.number())
/** As entered; null where its driver has no such setting. */
const Settings = {
  host: text,
  port: number,
  systemId: text,
  systemType: text,
  bind: z.nullable(z.enum(smsBinds)),
  tls: z.nullable(z.boolean()),
  certificate: text,
  sourceTon: number,
  sourceNpi: number,
  destTon: number,
  destNpi: number,
  alphabet: z.nullable(z.enum(smsAlphabets)),
  longMessages: z.nullable(z.enum(smsLongMessages)),
  serviceType: text,
  method: z.nullable(z.enum(httpMethods)),
  url: text,
  headers: z.nullable(z.record(z.string(), z.string())),
  body: text,
  success: text,
  messageId: text,
  receipt: z.nullable(ReceiptNames),
  incoming: z.nullable(IncomingNames),
}

/** What became of its receipts, since it was created. */
const Receipts = z.object({
  /** They ended a message, or a segment of it. */
  applied: z.number(),
  /** Others had come before. */
  repeated: z.number(),
  /** No message here has their id. */
  unmatched: z.number(),
  /** They name no message, or a state that is not known. */
  notUnderstood: z.number(),
  /** The last ten of those that were not understood, the newest first, shortened and with numbers masked. */
  samples: z.array(z.object({ time: z.string(), text: z.string() })),
})

const deliveryStatuses = ['Waiting', 'Submitted', 'Delivered', 'Failed', 'Expired', 'Unknown'] as const

export const smsGatewayRoutes = {
  list: list({
    path: '/app/sms/gateways',
    /** bound: messages can be sent; unbound: they cannot; held: after faults; disabled: by a super admin. */
    filters: { driver: choices(smsDrivers), state: choices(['bound', 'unbound', 'held', 'disabled']) },
    row: z.object({
      ...Fields,
      /** Host and port, or the URL's host; null: in this server. */
      place: text,
      routes: z.number(),
      state: GatewayState,
    }),
    sort: ['-gatewayId', 'gatewayName', 'driver'],
  }),
  detail: json({
    method: 'GET',
    path: '/app/sms/gateway/:gatewayId',
    input: GatewayIdInput,
    reply: z.object({ ...Fields, ...Settings, hasReceiptSecret: z.boolean(), receipts: Receipts }),
  }),
  create: json({
    method: 'POST',
    path: '/app/sms/gateway',
    input: z.object(Gateway).check(...rules),
    reply: z.object({ message: z.string(), gatewayId: z.number() }),
  }),
  /** Replaces all settings: what is left out is cleared. Secrets stay while the gateway stays in the same place. */
  update: json({
    method: 'POST',
    path: '/app/sms/gateway/update',
    input: z.object({ ...Gateway, gatewayId: Id }).check(...rules),
    reply: Message,
  }),
  enable: json({
    method: 'POST',
    path: '/app/sms/gateway/enable',
    input: z.object({ gatewayId: Id, enabled: z.boolean() }),
    reply: Message,
  }),
  delete: json({ method: 'DELETE', path: '/app/sms/gateway/:gatewayId', input: GatewayIdInput, reply: Message }),
  /** A ping, or a message to `mobile`, which no account pays for. */
  test: json({
    method: 'POST',
    path: '/app/sms/gateway/test',
    input: z.object({
      gatewayId: Id,
      testKind: z._default(z.enum(testKinds), 'message'),
      /** Required for a message, like `smsText`. */
      mobile: z.optional(WrittenNumber()),
      smsText: z.optional(Paragraph(1000)),
      /** Left out: the platform's. */
      cliName: z.optional(SenderName),
    }),
    reply: z.object({ message: z.string(), testId: z.number() }),
  }),
  testResult: json({
    method: 'GET',
    path: '/app/sms/gateway/test/:testId',
    input: z.object({ testId: Id }),
    reply: z.object({
      testId: z.number(),
      gatewayId: z.number(),
      testKind: z.enum(testKinds),
      mobile: text,
      askedAt: z.string(),
      deliveryStatus: z.enum(deliveryStatuses),
      /** It will not change any more. */
      isOver: z.boolean(),
      reason: text,
    }),
  }),
}
export type GatewayRow = RowOf<typeof smsGatewayRoutes.list>
export type GatewayDetail = ReplyOf<typeof smsGatewayRoutes.detail>
export type GatewayTest = ReplyOf<typeof smsGatewayRoutes.testResult>
