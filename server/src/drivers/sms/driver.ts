import type { Clock } from '../../clock.ts'

/** Each gateway has one connection, owned by whoever holds its lease. */
export type OpenGateway<Settings = GatewaySettings> = (
  settings: Settings,
  events: GatewayEvents,
  clock: Clock,
) => SmsGateway

/** Reconnects by itself until it is closed. */
export interface SmsGateway {
  /**
   * In as many segments as the contract's `splitSms` says, as window and rate allow. What cannot leave within half a minute, or while nobody is connected,
   * is 'unsent'. Never rejects. `late` receives a later answer to an 'unknown' message, as long as the driver can match it.
   */
  submit(message: OutgoingMessage, late?: (answer: LateAnswer) => void): Promise<Submitted>
  /** Sends no message. Resolves with the failure as a sentence, or null. Drivers that keep a connection have `state` instead. */
  ping?(): Promise<string | null>
  /** Takes no more messages. Those in flight have 10 s to be answered and are then 'unknown'. */
  close(): Promise<void>
  readonly state: GatewayState
}

export type GatewayEvents = {
  /**
   * Acknowledged only when this resolves; when it rejects, the gateway sends them again. A receipt may come before its message was answered, may come
   * twice, and may belong to a message that nobody here sent.
   */
  receipts(these: Receipt[]): Promise<void>
  /** Like `receipts`. A message that is sent again has the same `key`. */
  incoming(these: IncomingMessage[]): Promise<void>
  /** At once when the gateway binds, disconnects or fails; otherwise at most once a second. */
  state(state: GatewayState): void
}

export type OutgoingMessage = {
  /** Our id: unique, at most 20 letters and digits. */
  token: string
  from: string
  /** E.164 without the plus. */
  to: string
  text: string
  /** Asked when the first segment is about to leave, up to half a minute later. False makes the message 'unsent'. */
  mayLeave?: () => boolean
}

/**
 * `ids`: the gateway's, one per accepted segment, to which receipts refer; their number is what may be charged. Where the gateway gives none, it is one of
 * ours that no receipt has.
 */
export type Submitted =
  /** Under one id if the gateway itself splits the message. */
  | { kind: 'accepted'; ids: string[] }
  /** The rest is never sent. `ids`: segments accepted before. 'gateway': it would refuse other messages too. */
  | { kind: 'refused'; whose: 'message' | 'gateway'; code: string; reason: string; ids: string[] }
  /** Nothing was accepted and nothing is in doubt. The driver reduces its rate by itself. */
  | { kind: 'throttled' }
  /** No byte left: it may be sent again, also by another gateway. */
  | { kind: 'unsent'; reason: string }
  /** Bytes left and the answer was lost: it must never be sent again. `answered`: some segments were. */
  | { kind: 'unknown'; reason: string; answered: boolean; ids: string[] }

/** To some segments of an 'unknown' message. */
export type LateAnswer = {
  ids: string[]
  certain: boolean
  /** Once it is certain: why it, or the rest of it, was not accepted. Null: it was. */
  refused: string | null
}

export type Receipt = {
  /** As the gateway wrote it; compare it by `idKey`. */
  id: string
  /** 'accepted' is not final. */
  state: 'delivered' | 'failed' | 'expired' | 'accepted'
  /** A sentence; null when it was delivered. */
  reason: string | null
  /** According to the gateway; null when it does not say. */
  at: Date | null
}

export type IncomingMessage = {
  /** The same when the gateway sends it again. */
  key: string
  from: string
  to: string
  text: string
  at: Date
  /** Set for one piece of a long message whose other pieces did not come in time. */
  part: { reference: number; number: number; of: number } | null
}

export type GatewayState = {
  bound: boolean
  windowUsed: number
  perSecond: number
  /** A sentence, kept after the gateway is bound again for people who ask. */
  lastError: string | null
  lastErrorAt: Date | null
}

type GatewaySettings = SimulatorSettings | SmppSettings | HttpSettings

type Limits = {
  window: number
  tps: number
}

export type SimulatorSettings = Limits & {
  driver: 'simulator'
  /** Of the whole gateway; single numbers have faults by their last digits (simulator/numbers.ts). */
  fault: 'unreachable' | 'refusesLogin' | 'throttles' | 'silent' | 'cuts' | null
}

export type SmppSettings = Limits & {
  driver: 'smpp'
  host: string
  port: number
  systemId: string
  password: string
  systemType: string
  /** One connection for both directions, or a transmitter and a receiver. */
  bind: 'transceiver' | 'pair'
  tls: boolean
  /** SHA-256 in hex, for a certificate that no known authority signed; null requires one that is. */
  certificate: string | null
  /** Null: by the sender's form (a name, a short code, a number in E.164). */
  sourceTon: number | null
  sourceNpi: number | null
  destTon: number
  destNpi: number
  /** GSM-7 by data_coding 0, a byte per septet or packed; or data_coding 3, where a letter that Latin-1 lacks makes the text UCS-2. */
  alphabet: 'gsm7' | 'gsm7packed' | 'latin1'
  longMessages: 'udh' | 'sar' | 'payload'
  serviceType: string
}

export type HttpSettings = Limits & {
  driver: 'http'
  method: 'GET' | 'POST'
  /** {from} {to} {mobile} {text} {token} {id} are replaced in url, headers and body, each escaped for its place. {mobile}: `to` without 977. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  token: string
  /** Replies that accept, and where they have the id (contract/src/sms-reply-rule.ts). */
  success: string
  messageId: string
}

const idLengthMax = 100

/** Receipts may write an id in another case, and with or without leading zeros. */
export function idKey(id: string): string {
  const plain = id.trim().toLowerCase()
  let from = 0
  while (plain[from] === '0' && /^[0-9a-f]/.test(plain.slice(from + 1, from + 2))) from += 1
  return plain.slice(from, from + idLengthMax)
}

/** A shorter id in another base may belong to another message. */
const digitsMin = 7

/** Hexadecimal in a submit's answer, decimal in its receipt, or the reverse. For when a receipt's own key is unknown and no answer can come. */
export function idKeysInOtherBase(id: string): string[] {
  const key = idKey(id)
  if (key.length < digitsMin || key.length > 20) return []
  const keys: string[] = []
  if (/^[0-9]+$/.test(key)) keys.push(BigInt(key).toString(16))
  if (/^[0-9a-f]+$/.test(key)) keys.push(BigInt(`0x${key}`).toString(10))
  return keys.filter((other) => other.length >= digitsMin && other !== key)
}
