import type { Clock } from '../../clock.ts'

/** Messages as the engine sees them. One connection per gateway, held by whoever holds the gateway's lease. */
export type OpenGateway<Settings = GatewaySettings> = (
  settings: Settings,
  events: GatewayEvents,
  clock: Clock,
) => SmsGateway

/** Connects, and reconnects by itself, until it is closed. */
export interface SmsGateway {
  /**
   * Sends one message, in as many segments as the contract's `splitSms` says. Waits for a place in the window and for its turn by the rate; what
   * cannot leave within half a minute, or while nobody is connected, is 'unsent'. Never rejects. `late` hears what is answered of an 'unknown' message
   * after all, as far as the driver can still tell.
   */
  submit(message: OutgoingMessage, late?: (answer: LateAnswer) => void): Promise<Submitted>
  /** Whether anybody is there, without a message: why not, in words, or null. Where there is none, `state` says it: a connection is kept. */
  ping?(): Promise<string | null>
  /** Takes nothing more; what is in flight has 10 s to be answered, then it is 'unknown'. */
  close(): Promise<void>
  readonly state: GatewayState
}

export type GatewayEvents = {
  /**
   * Resolves when they are stored: only then does the driver acknowledge them. When it rejects, the driver does not, and they come again. A receipt
   * may come before its message was answered, twice, and for a message that nobody here has sent.
   */
  receipts(these: Receipt[]): Promise<void>
  /** As `receipts`; what comes again has the same `key`. */
  incoming(these: IncomingMessage[]): Promise<void>
  /** At once when it binds, is lost or fails; else at most once a second. */
  state(state: GatewayState): void
}

/** One message for one person. */
export type OutgoingMessage = {
  /** Ours, unique, at most 20 letters and digits. */
  token: string
  from: string
  /** E.164 without the plus. */
  to: string
  /** Not empty. */
  text: string
  /** Asked when its turn has come, which may be half a minute later: no makes it 'unsent'. Of a message that has begun to leave the rest follows. */
  mayLeave?: () => boolean
}

/**
 * `ids` are the gateway's, for receipts: one for each segment that it accepted, so that their number is what may be charged of a message that was not
 * accepted whole. Where the gateway names none, it is one of ours that no receipt bears.
 */
export type Submitted =
  /** All of it; under one id where the gateway itself splits it. */
  | { kind: 'accepted'; ids: string[] }
  /** The rest of it will never be sent: `ids` of segments that were accepted before. 'gateway': others would be refused, too. */
  | { kind: 'refused'; whose: 'message' | 'gateway'; code: string; reason: string; ids: string[] }
  /** Nothing was accepted and nothing is in doubt: later. The driver slows down by itself. */
  | { kind: 'throttled' }
  /** No byte left: may be sent again, and elsewhere. */
  | { kind: 'unsent'; reason: string }
  /** Bytes left and the answer was lost: never to be sent again. `answered`: of some segments there is an answer. */
  | { kind: 'unknown'; reason: string; answered: boolean; ids: string[] }

/** An answer that came too late: of some segments of a message that was told as 'unknown'. */
export type LateAnswer = {
  /** The gateway's, of segments that it accepted. */
  ids: string[]
  /** Every segment that left has its answer now. */
  certain: boolean
  /** In words, once it is certain: why the message, or the rest of it, was not accepted; null: it was. */
  refused: string | null
}

export type Receipt = {
  /** As the gateway wrote it: to be compared by `idKey`. */
  id: string
  /** 'accepted' is not final. */
  state: 'delivered' | 'failed' | 'expired' | 'accepted'
  /** Words for a person; null when it was delivered. */
  reason: string | null
  /** When the gateway says that it happened; null: it does not. */
  at: Date | null
}

export type IncomingMessage = {
  /** The same when the gateway sends it again. */
  key: string
  from: string
  to: string
  text: string
  at: Date
  /** One piece of a long message whose other pieces did not come in time; null: it is whole. */
  part: { reference: number; number: number; of: number } | null
}

export type GatewayState = {
  /** Messages can leave. */
  bound: boolean
  /** Segments that were sent and are not answered. */
  windowUsed: number
  /** Segments of the last second. */
  perSecond: number
  /** In words. It stays after it is bound again, for those who ask why it was not. */
  lastError: string | null
  lastErrorAt: Date | null
}

type GatewaySettings = SimulatorSettings | SmppSettings | HttpSettings

type Limits = {
  /** Segments that may be without an answer. */
  window: number
  /** Segments a second. */
  tps: number
}

export type SimulatorSettings = Limits & {
  driver: 'simulator'
  /** What ails it as a whole; numbers that end in certain digits have faults of their own (simulator/numbers.ts). Null: nothing. */
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
  /** SHA-256 of the gateway's certificate in hex, for one that no known authority has signed; null: one must have. */
  certificate: string | null
  /** Null: by the form of the sender (a name, a short code, a number in E.164). */
  sourceTon: number | null
  sourceNpi: number | null
  destTon: number
  destNpi: number
  /** How a text of GSM-7 is written: data_coding 0 with a byte a septet, or packed; or data_coding 3. What Latin-1 lacks then goes as UCS-2. */
  alphabet: 'gsm7' | 'gsm7packed' | 'latin1'
  longMessages: 'udh' | 'sar' | 'payload'
  serviceType: string
}

export type HttpSettings = Limits & {
  driver: 'http'
  method: 'GET' | 'POST'
  /** Of url, headers and body, {from} {to} {mobile} {text} {token} {id} are filled in, written as their place needs it: {mobile} is `to` without 977. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** What {token} stands for: secret. */
  token: string
  /** Which replies accept the message, and where its id stands (contract/src/sms-reply-rule.ts). */
  success: string
  messageId: string
}

const idLengthMax = 100

/** What an id is stored and searched by: receipts write the same id in another case, and with or without leading zeros. */
export function idKey(id: string): string {
  const plain = id.trim().toLowerCase()
  let from = 0
  while (plain[from] === '0' && /^[0-9a-f]/.test(plain.slice(from + 1, from + 2))) from += 1
  return plain.slice(from, from + idLengthMax)
}

/** Shorter ones in another base may be somebody else's id. */
const digitsMin = 7

/**
 * Some gateways answer a submit with a hexadecimal id and write a decimal one into the receipt, or the other way round: the keys to try for a receipt
 * whose own key is unknown, and stays unknown when the answer of its submit has had its time.
 */
export function idKeysInOtherBase(id: string): string[] {
  const key = idKey(id)
  if (key.length < digitsMin || key.length > 20) return []
  const keys: string[] = []
  if (/^[0-9]+$/.test(key)) keys.push(BigInt(key).toString(16))
  if (/^[0-9a-f]+$/.test(key)) keys.push(BigInt(`0x${key}`).toString(10))
  return keys.filter((other) => other.length >= digitsMin && other !== key)
}
