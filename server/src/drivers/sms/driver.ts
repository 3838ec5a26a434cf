import type { Clock } from '../../clock.ts'

/** Messages as the engine sees them. Each gateway has one connection, owned by whoever holds the gateway's lease. */
export type OpenGateway<Settings = GatewaySettings> = (
  settings: Settings,
  events: GatewayEvents,
  clock: Clock,
) => SmsGateway

/** Connects, and reconnects by itself until it is closed. */
export interface SmsGateway {
  /**
   * Sends one message, in as many segments as the contract's `splitSms` says, as the window and the rate allow. A message that cannot leave within
   * half a minute, or while nobody is connected, is 'unsent'. Never rejects. `late` receives a later answer to an 'unknown' message, as long as the
   * driver can match it.
   */
  submit(message: OutgoingMessage, late?: (answer: LateAnswer) => void): Promise<Submitted>
  /**
   * Checks the connection without sending a message. Resolves with the reason of the failure as a sentence, or null. Drivers that keep a connection
   * do not have it: their `state` says the same.
   */
  ping?(): Promise<string | null>
  /** Takes no more messages. Those in flight have 10 s to be answered and are then 'unknown'. */
  close(): Promise<void>
  readonly state: GatewayState
}

export type GatewayEvents = {
  /**
   * Resolves when the receipts are stored; only then does the driver acknowledge them. When it rejects, the gateway sends them again. A receipt may
   * come before its message was answered, may come twice, and may belong to a message that nobody here sent.
   */
  receipts(these: Receipt[]): Promise<void>
  /**
   * What reads like receipts, but was not marked as such by the gateway, so that anybody may have written it. Each is a receipt if its id is that of
   * a message to its sender; any other is an incoming message. Stored and repeated like `receipts`.
   */
  unmarked(these: UnmarkedReceipt[]): Promise<void>
  /** Receipts that nobody could read, shortened and without numbers, for people to see. */
  notUnderstood(these: string[]): Promise<void>
  /** Like `receipts`. A message that is sent again has the same `key`. */
  incoming(these: IncomingMessage[]): Promise<void>
  /** Called at once when the gateway binds, disconnects or fails; otherwise at most once a second. */
  state(state: GatewayState): void
}

export type OutgoingMessage = {
  /** Our id: unique, at most 20 letters and digits. */
  token: string
  from: string
  /** E.164 without the plus. */
  to: string
  /** Not empty. */
  text: string
  /** Asked when the message is about to leave, up to half a minute later. False makes it 'unsent'. Its later segments are not asked about. */
  mayLeave?: () => boolean
}

/**
 * `ids` are the gateway's, one for each segment that it accepted; receipts refer to them. Their number is what may be charged for a message that was
 * not accepted in full. Where the gateway gives no id, it is one of ours: over HTTP the message's token, which receipts may have, over SMPP one that
 * no receipt has.
 */
export type Submitted =
  /** The whole message was accepted, under one id if the gateway itself splits it. */
  | { kind: 'accepted'; ids: string[] }
  /** The rest is never sent. `ids`: segments that were accepted before. 'gateway': it would refuse other messages, too. */
  | { kind: 'refused'; whose: 'message' | 'gateway'; code: string; reason: string; ids: string[] }
  /** Nothing was accepted and nothing is in doubt: try later. The driver reduces its rate by itself. */
  | { kind: 'throttled' }
  /** No byte left: the message may be sent again, also by another gateway. */
  | { kind: 'unsent'; reason: string }
  /** Bytes left and the answer was lost: the message must never be sent again. `answered`: some segments were answered. */
  | { kind: 'unknown'; reason: string; answered: boolean; ids: string[] }

/** A late answer to some segments of a message that was reported as 'unknown'. */
export type LateAnswer = {
  ids: string[]
  certain: boolean
  /** Once it is certain: why the message, or the rest of it, was not accepted, as a sentence. Null: it was accepted. */
  refused: string | null
}

export type Receipt = {
  /** As the gateway wrote it; compare it by `idKey`. */
  id: string
  /** 'accepted' is not final. */
  state: 'delivered' | 'failed' | 'expired' | 'accepted'
  /** A sentence; null when it was delivered. */
  reason: string | null
  /** When it happened according to the gateway; null when it does not say. */
  at: Date | null
}

export type UnmarkedReceipt = { receipt: Receipt; message: IncomingMessage }

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
  /** Segments sent and not answered yet. */
  windowUsed: number
  perSecond: number
  /** A sentence, kept after the gateway is bound again for people who ask why it was not. */
  lastError: string | null
  lastErrorAt: Date | null
}

type GatewaySettings = SimulatorSettings | SmppSettings | HttpSettings

type Limits = {
  window: number
  /** Segments per second. */
  tps: number
}

export type SimulatorSettings = Limits & {
  driver: 'simulator'
  /** A fault of the whole gateway; null: none. Single numbers have faults by their last digits (simulator/numbers.ts). */
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
  /** SHA-256 of the gateway's certificate in hex, when no known authority has signed it; null requires one that has. */
  certificate: string | null
  /** Null: chosen by the form of the sender (a name, a short code, a number in E.164). */
  sourceTon: number | null
  sourceNpi: number | null
  destTon: number
  destNpi: number
  /**
   * How GSM-7 texts are written: data_coding 0 with a byte per septet, or packed; or data_coding 3, where a letter that Latin-1 lacks makes the text
   * UCS-2.
   */
  alphabet: 'gsm7' | 'gsm7packed' | 'latin1'
  longMessages: 'udh' | 'sar' | 'payload'
  serviceType: string
}

export type HttpSettings = Limits & {
  driver: 'http'
  method: 'GET' | 'POST'
  /** In url, headers and body, places like {to} are replaced (http/request.ts), each escaped for where it stands. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  token: string
  /** The address to which it may report, with the secret. */
  callback: string
  /** Which replies accept the message, and where they have its id (contract/src/sms-reply-rule.ts). */
  success: string
  messageId: string
}

const idLengthMax = 100

/** The form in which ids are stored and compared: receipts may write an id in another case, and with or without leading zeros. */
export function idKey(id: string): string {
  const plain = id.trim().toLowerCase()
  let from = 0
  while (plain[from] === '0' && /^[0-9a-f]/.test(plain.slice(from + 1, from + 2))) from += 1
  return plain.slice(from, from + idLengthMax)
}

/** A shorter id in another base may belong to another message. */
const digitsMin = 7

/**
 * Some gateways answer a submit with a hexadecimal id and send receipts with a decimal one, or the other way round. These keys are tried when a
 * receipt's own key is unknown and the submit's answer can no longer come.
 */
export function idKeysInOtherBase(id: string): string[] {
  const key = idKey(id)
  if (key.length < digitsMin || key.length > 20) return []
  const keys: string[] = []
  if (/^[0-9]+$/.test(key)) keys.push(BigInt(key).toString(16))
  if (/^[0-9a-f]+$/.test(key)) keys.push(BigInt(`0x${key}`).toString(10))
  return keys.filter((other) => other.length >= digitsMin && other !== key)
}
