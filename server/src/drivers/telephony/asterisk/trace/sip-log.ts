import { setTimeout as sleep } from 'node:timers/promises'
import type { SipTrace } from '../../driver.ts'
import { withoutSecrets } from '../../sip-secrets.ts'
import { AriError, type AriHttp } from '../ari/http.ts'
import { LogChannels, StoredNames } from '../ari/messages.ts'
import { finalReplyOf, noRoom, type FinalReply } from './final-reply.ts'
import { KeptMessages } from './kept-messages.ts'
import { messagesIn } from './sip-log-lines.ts'

/** How many ended channels' Call-IDs are kept: at a hundred calls a second, those of the last 40 s. */
const callIdsMax = 4000
/** Those of our own calls are shorter. Of a call that comes in, the far end chose it. */
const callIdLettersMax = 200
/** A longer log is deleted unread. */
const bytesMax = 32 * 1024 * 1024
const deadlineMs = 30_000
const lane = 'record'
const folder = 'witness'
/** From this rate, and until it has halved, the dialer logs only part of the time: logging costs a tenth of a short call. */
const callsPerSecondMax = 20
/** How long it then logs, and how long it pauses. */
const windowMs = 15_000
const restMs = 105_000
/** While the operator has no room, which may say how long to wait: that is obeyed for a minute at most. */
const refusedRestMs = 20_000
/** How long the end of a refused call may wait for what its operator said. */
const replyWithinMs = 2000
/** Many calls that are refused at once are looked up together. */
const lookEveryMs = 200
/** Longer than a test call lasts. */
const testMs = 90_000
const logger = '/asterisk/modules/res_pjsip_logger.so'
/** Two files are written at once for less than this time. */
const overlapMs = 5000

/**
 * Every SIP message of the dialer, from a log in Asterisk's recordings folder, so that ARI can serve and delete it. A growing file cannot be
 * fetched, so Asterisk starts the next file and then ends the current one: nothing is missing, and some messages are in both.
 * - on: every message is logged
 * - off, while the dialer is busy: the logger is not even loaded, except for a quarter of a minute every two minutes and for test calls
 */
export class SipLog {
  readonly #app: string
  readonly #http: AriHttp
  /** Unread files by number. Asterisk is writing the last one. */
  #files: number[] = []
  readonly #calls = new KeptMessages()
  /** Call-IDs of ended channels. */
  readonly #callIds = new Map<string, string>()
  /** The last messages of the previous file. */
  #tail = new Set<string>()
  #reading: Promise<unknown> = Promise.resolve()
  #file = 0
  /** Calls since the last reading. */
  #dialled = 0
  #readMono = performance.now()
  #offMono = -Infinity
  /** Calls were refused for lack of room since the log was last on. */
  #wasRefused = false
  #lookedMono = -Infinity
  /** The reading that `replyTo` waits for, which may be the same for many calls. */
  #looking: Promise<unknown> | null = null
  /** The log stays on until then, however busy the dialer is. */
  #heldUntil = -Infinity

  constructor(app: string, http: AriHttp) {
    this.#app = app
    this.#http = http
  }

  /** Starts a log, or continues the one from before a gap. What an earlier process left is ended unread: its calls are over. */
  async open(restarted: boolean): Promise<void> {
    if (!restarted && this.#files.length > 0) return
    for (const file of await this.#written()) await this.#end(file)
    for (const file of await this.#stored()) await this.#delete(file)
    this.#files = []
    await this.#on()
  }

  /** Keeps the log on for the next minute and a half. */
  hold(): Promise<void> {
    const holding = this.#reading.then(async () => {
      this.#heldUntil = performance.now() + testMs
      if (this.#files.length === 0) await this.#on()
    })
    this.#reading = holding.catch(() => undefined)
    return holding
  }

  dialled(): void {
    this.#dialled += 1
  }

  refused(sipStatus: number | null): void {
    this.#wasRefused ||= sipStatus === noRoom
  }

  /**
   * What the far end finally said to a call that has just ended; 'none' when it said nothing: what ended the call was the dialer's own. Null: its
   * messages are not logged, or cannot be read in time. `sipStatus`: what the dialer made of it, which only for 503 may be its own.
   */
  async replyTo(callId: string | null, sipStatus: number | null): Promise<FinalReply | 'none' | null> {
    if (callId === null || this.#files.length === 0) return null
    const isRead = await this.#looked()
    const reply = finalReplyOf(this.#calls.of(callId))
    if (reply !== 'none') return reply
    if (sipStatus !== noRoom) return null
    // Asterisk writes its log a little later than it reports the end.
    if (!isRead || !(await this.#looked()) || !this.#calls.isWhole(callId)) return null
    return finalReplyOf(this.#calls.of(callId))
  }

  /** False: not in time. */
  #looked(): Promise<boolean> {
    this.#looking ??= this.#look()
    return Promise.race([this.#looking.then(() => true), sleep(replyWithinMs, false, { ref: false })])
  }

  /** The calls that ask while it waits its turn are read with it. */
  async #look(): Promise<void> {
    const looking = this.#reading.then(async () => {
      await sleep(Math.max(0, lookEveryMs - (performance.now() - this.#lookedMono)), undefined, { ref: false })
      this.#lookedMono = performance.now()
      this.#looking = null
      return this.#read()
    })
    this.#reading = looking.catch(() => undefined)
    await this.#reading
  }

  async close(): Promise<void> {
    const files = this.#files
    this.#files = []
    for (const file of files) {
      await this.#end(file)
      await this.#delete(file)
    }
  }

  ended(channelId: string, callId: string | null): void {
    if (callId === null || callId.length > callIdLettersMax) return
    this.#callIds.set(channelId, callId)
    forgetOldest(this.#callIds, callIdsMax)
  }

  take(channelIds: readonly string[]): Promise<SipTrace[]> {
    const reading = this.#reading.then(async () => {
      await this.#read()
      await this.#followLoad()
      return channelIds.flatMap((channelId) => this.#taken(channelId))
    })
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  #taken(channelId: string): SipTrace[] {
    const callId = this.#callIds.get(channelId)
    const messages = callId === undefined ? [] : this.#calls.take(callId)
    if (messages.length === 0) return []
    this.#callIds.delete(channelId)
    return [{ channelId, messages: messages.map((one) => ({ ...one, text: withoutSecrets(one.text) })) }]
  }

  async #read(): Promise<void> {
    const newest = this.#files.at(-1)
    if (newest === undefined) return
    await this.#begin()
    await this.#readTo(newest)
  }

  async #readTo(last: number): Promise<void> {
    for (let file = this.#files[0]; file !== undefined && file <= last; file = this.#files[0]) {
      await this.#end(file)
      const path = `/ari/recordings/stored/${this.#pathOf(file)}/file`
      const log = await this.#http.bytes(path, bytesMax, { deadlineMs, lane })
      await this.#delete(file)
      this.#files.shift()
      if (log) this.#add(log)
      else this.#calls.missed()
    }
  }

  #add(log: Buffer): void {
    const recent: { at: number; key: string }[] = []
    for (const { callId, message } of messagesIn(log)) {
      const key = `${message.at} ${message.sent} ${callId} ${message.text.slice(0, 200)}`
      recent.push({ at: message.at, key })
      if (this.#tail.has(key)) continue
      this.#calls.add(callId, message)
    }
    const since = (recent.at(-1)?.at ?? 0) - overlapMs
    if (recent.length > 0) this.#tail = new Set(recent.filter(({ at }) => at > since).map(({ key }) => key))
  }

  async #followLoad(): Promise<void> {
    const now = performance.now()
    const perSecond = (1000 * this.#dialled) / Math.max(1000, now - this.#readMono)
    this.#dialled = 0
    this.#readMono = now
    const isOn = this.#files.length > 0
    if (isOn && perSecond > callsPerSecondMax && now > this.#heldUntil) await this.#off()
    const rest = this.#wasRefused ? refusedRestMs : restMs
    if (isOn || (perSecond >= callsPerSecondMax / 2 && now - this.#offMono < rest)) return
    this.#wasRefused = false
    if (perSecond >= callsPerSecondMax / 2) this.#heldUntil = now + windowMs
    await this.#on()
  }

  async #on(): Promise<void> {
    try {
      await this.#http.send('POST', logger, { lane })
    } catch (error) {
      if (!isConflict(error)) throw error // it is loaded already
    }
    await this.#begin()
  }

  async #off(): Promise<void> {
    await this.#readTo(Infinity)
    this.#calls.missed()
    await this.#http.did('DELETE', logger, { lane })
    this.#offMono = performance.now()
  }

  async #begin(): Promise<void> {
    const file = (this.#file += 1)
    const query = { configuration: 'verbose' }
    try {
      await this.#http.send('POST', `/asterisk/logging/${this.#logOf(file)}`, { query, lane })
    } catch (error) {
      if (!isConflict(error)) throw error // it had begun, and the reply was lost
    }
    this.#files.push(file)
  }

  async #end(file: number): Promise<void> {
    await this.#http.did('DELETE', `/asterisk/logging/${this.#logOf(file)}`, { lane })
  }

  async #delete(file: number): Promise<void> {
    await this.#http.did('DELETE', `/recordings/stored/${this.#pathOf(file)}`, { lane })
  }

  async #written(): Promise<number[]> {
    const logs = LogChannels.parse(await this.#http.ari('GET', '/asterisk/logging', { lane }))
    return logs.flatMap(({ channel }) => this.#numberIn(channel, '.wav'))
  }

  async #stored(): Promise<number[]> {
    const stored = StoredNames.parse(await this.#http.ari('GET', '/recordings/stored', { lane }))
    return stored.flatMap(({ name }) => this.#numberIn(name, ''))
  }

  #numberIn(name: string, ending: string): number[] {
    const at = name.lastIndexOf(this.#prefix)
    if (at === -1 || !name.endsWith(ending)) return []
    const number = name.slice(at + this.#prefix.length, name.length - ending.length)
    return /^\d{1,9}$/.test(number) ? [Number(number)] : []
  }

  get #prefix(): string {
    return `${folder}/sip-${this.#app}-`
  }

  #pathOf(file: number): string {
    return encodeURIComponent(`${this.#prefix}${file}`)
  }

  #logOf(file: number): string {
    return encodeURIComponent(`${this.#prefix}${file}.wav`)
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof AriError && error.status === 409
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
