import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelRecord, DialerRecord } from '../../driver.ts'
import type { DialerClock } from '../ari/dialer-clock.ts'
import { AriError, type AriHttp } from '../ari/http.ts'
import { Info } from '../ari/messages.ts'
import {
  muteCause,
  notedSound,
  silentMsOf,
  unheardCause,
  wasMute,
  wasSoundless,
  wasUnheard,
  type NotedSound,
} from './noted-sound.ts'

/**
 * The dialer's own record, with three lines for each channel (CHAN_START, ANSWER, HANGUP). Asterisk appends them to two identical files, so that one
 * can be deleted without a gap. A growing file cannot be fetched, so it is copied first.
 */
export class WitnessRecord {
  readonly #app: string
  readonly #http: AriHttp
  readonly #clock: DialerClock
  /** The file has everything since then; null when unknown. */
  readonly #beginsAt: Record<'a' | 'b', number | null> = { a: null, b: null }
  #reading: Promise<unknown> = Promise.resolve()
  /** Which of the names of copies is used. */
  #copy = Math.floor(Math.random() * copies)

  constructor(app: string, http: AriHttp, clock: DialerClock) {
    this.#app = app
    this.#http = http
    this.#clock = clock
  }

  /**
   * Rejects when the dialer keeps no record, because then nobody could tell after a crash who was called. Tests it with a channel that is not
   * dialled and must leave a line.
   */
  async prove(): Promise<void> {
    if (await this.#exists()) return
    const channelId = `proof-${randomUUID()}`
    const query = { endpoint: 'Local/proof@from-trunk', app: this.#app, channelId }
    await this.#http.ari('POST', '/channels/create', { query })
    await this.#http.did('DELETE', `/channels/${channelId}`)
    for (const until = performance.now() + provenWithinMs; performance.now() < until; await sleep(50))
      if (await this.#exists()) return
    throw new Error(
      'it keeps no record of its calls (telephony/etc/dialer/cel_custom.conf, and the folder named there)',
    )
  }

  async read(since: number): Promise<DialerRecord> {
    const { status } = Info.parse(await this.#http.ari('GET', '/asterisk/info'))
    const channels = await this.#channels(since)
    for (const [channelId, { startedAt }] of channels) if (startedAt < since) channels.delete(channelId)
    return { upSince: status.startup_time, channels }
  }

  /** Deletes the older file when the newer one has everything about channels that began at `before` or later. */
  async trim(before: number): Promise<void> {
    if (this.#beginsAt.a === null || this.#beginsAt.b === null) await this.#channels(0)
    const { a, b } = this.#beginsAt
    if (a === null || b === null) return
    const [older, newerBeginsAt] = a <= b ? (['a', b] as const) : (['b', a] as const)
    if (newerBeginsAt + clockMarginMs > before) return
    this.#beginsAt[older] = null
    await this.#http.did('DELETE', `/recordings/stored/witness%2F${older}`)
    this.#beginsAt[older] = this.#clock.now()
  }

  async #exists(): Promise<boolean> {
    const found = await Promise.all(
      ['a', 'b'].map((file) => this.#http.did('GET', `/recordings/stored/witness%2F${file}`)),
    )
    return found.includes(true)
  }

  /** One reading at a time. Copies have fixed names, so that those of killed readers do not pile up. */
  #channels(since: number): Promise<Map<string, ChannelRecord>> {
    const reading = this.#reading.then(async () => {
      const channels = new Map<string, ChannelRecord>()
      for (const file of ['a', 'b'] as const) {
        const text = await this.#fetch(file)
        const firstAt = takeLines(text, channels, since)
        this.#beginsAt[file] ??= firstAt ?? this.#clock.now()
        if (text !== '' && this.#beginsAt[file] + clockMarginMs <= since) break // this file has everything
      }
      return channels
    })
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  /** '' when the file does not exist. */
  async #fetch(file: 'a' | 'b'): Promise<string> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#copied(file, `read-${this.#app}-${file}${this.#copy}`)
      } catch (error) {
        const isTaken = error instanceof AriError && [404, 409].includes(error.status)
        if (!isTaken || tries === copies) throw error
        this.#copy = (this.#copy + 1) % copies
        this.#http.renew(lane) // Asterisk would answer later requests on the same connection with the conflict of this one
      }
    }
  }

  /** Rejects with 409 or 404 when another reader, as of an engine that is just dying, has made or deleted a copy of this name. */
  async #copied(file: 'a' | 'b', name: string): Promise<string> {
    const copy = `/recordings/stored/witness%2F${name}`
    const query = { destinationRecordingName: `witness/${name}` }
    const request = { deadlineMs, lane } as const
    await this.#http.did('DELETE', copy, { lane })
    const exists = await this.#http.did('POST', `/recordings/stored/witness%2F${file}/copy`, { query, ...request })
    if (!exists) return ''
    const text = await this.#http.text(`/ari${copy}/file`, request)
    await this.#http.did('DELETE', copy, { lane })
    return text
  }
}

/** So many readers of one application hardly meet. */
const copies = 4
const deadlineMs = 30_000
const lane = 'record'
const clockMarginMs = 5000
const provenWithinMs = 2000

/** How far out of order Asterisk may write events. */
const disorderMs = 5000
const hangUpForm = /""hangupcause"":(\d+),""hangupsource"":""([^"]*)""/
/** Lines that an older cel_custom.conf wrote have no note. */
const noteForm = /","(\d*\/\d+(?:\/\w*)?)$/
const between = '","'

/**
 * Adds the lines to their channels. Returns the first line's time, or null when there is none. The last line may be incomplete, and both files may
 * have the same line. Lines before `since` are skipped unread: at a hundred calls a second there are tens of thousands, and running calls wait
 * meanwhile.
 */
export function takeLines(text: string, channels: Map<string, ChannelRecord>, since = 0): number | null {
  const end = text.lastIndexOf('\n') + 1
  let firstAt: number | null = null
  for (let from = 0; from < end && firstAt === null; from = text.indexOf('\n', from) + 1)
    firstAt = lineAt(text, from)?.at ?? null
  let next = 0
  for (let from = beginningOf(text, end, since - disorderMs); from < end; from = next) {
    next = text.indexOf('\n', from) + 1
    const line = lineAt(text, from)
    if (line) take(line, channels)
  }
  return firstAt
}

type Line = { event: string; at: number; channelId: string; extra: string }

function take({ event, at, channelId, extra }: Line, channels: Map<string, ChannelRecord>): void {
  const known = channels.get(channelId)
  if (event === 'CHAN_START' && !known)
    channels.set(channelId, {
      channelId,
      startedAt: at,
      answeredAt: null,
      endedAt: null,
      cause: null,
      endedByFarEnd: false,
    })
  if (!known) return // its beginning was trimmed, so it was settled
  if (event === 'ANSWER') known.answeredAt ??= at
  if (event === 'HANGUP') {
    const [, cause, source] = hangUpForm.exec(extra) ?? []
    known.endedAt = at
    known.cause = cause === undefined ? null : Number(cause)
    known.endedByFarEnd = source !== undefined && source !== ''
    addSound(known, at, notedSound(noteForm.exec(extra)?.[1]))
  }
}

/** As a leg's end is reported (leg.ts). */
function addSound(channel: ChannelRecord, endedAt: number, noted: NotedSound | null): void {
  const { answeredAt, cause, endedByFarEnd } = channel
  if (answeredAt === null) return
  const silentMs = silentMsOf(noted, endedAt, cause, endedByFarEnd)
  const isMute = wasMute(noted, endedAt - answeredAt, cause)
  if (isMute || wasUnheard(noted, answeredAt)) {
    const end = { answeredAt: null, cause: isMute ? muteCause : unheardCause, endedByFarEnd: true, alerted: true }
    Object.assign(channel, end)
    return
  }
  if (silentMs > 0) Object.assign(channel, { silentMs, endedByFarEnd: true })
  if (wasSoundless(noted)) channel.soundless = true
}

/** "event","seconds","channel","extra","note", where only the extra has quotes inside; the note stays with it. Null for a torn line. */
function lineAt(text: string, from: number): Line | null {
  const end = text.indexOf('\n', from)
  const time = text.indexOf(between, from)
  const channel = text.indexOf(between, time + 1)
  const extra = text.indexOf(between, channel + 1)
  if (time === -1 || channel < time || extra < channel || extra > end) return null
  const at = Math.floor(Number(text.slice(time + between.length, channel)) * 1000)
  if (Number.isNaN(at)) return null
  return {
    event: text.slice(from + 1, time),
    at,
    channelId: text.slice(channel + between.length, extra),
    extra: text.slice(extra + between.length, end - 1),
  }
}

/** Where the lines since `since` begin, or a few before them; by bisection. */
function beginningOf(text: string, end: number, since: number): number {
  let [from, to] = [0, end]
  while (to - from > 1000) {
    const middle = text.indexOf('\n', (from + to) >> 1) + 1
    const line = middle === 0 || middle >= to ? null : lineAt(text, middle)
    if (!line) break
    if (line.at < since) from = middle
    else to = middle
  }
  return from
}
