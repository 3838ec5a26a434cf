import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelRecord, DialerRecord } from '../driver.ts'
import type { DialerClock } from './dialer-clock.ts'
import type { AriHttp } from './http.ts'
import { Info } from './messages.ts'

/**
 * The dialer's own record: three lines a channel (CHAN_START, ANSWER, HANGUP), which Asterisk appends to two files alike, so that one of them
 * can be deleted while it writes. A file that grows cannot be fetched: it is copied first.
 */
export class WitnessRecord {
  readonly #app: string
  readonly #http: AriHttp
  readonly #clock: DialerClock
  /** All that happened after this is in the file; null: not known. */
  readonly #beginsAt: Record<'a' | 'b', number | null> = { a: null, b: null }
  #reading: Promise<unknown> = Promise.resolve()

  constructor(app: string, http: AriHttp, clock: DialerClock) {
    this.#app = app
    this.#http = http
    this.#clock = clock
  }

  /** Rejects when the dialer keeps none: after a crash nobody could tell who was called. A channel that is not dialled must leave its line. */
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
    const channels = await this.#channels()
    for (const [channelId, { startedAt }] of channels) if (startedAt < since) channels.delete(channelId)
    return { upSince: status.startup_time, channels }
  }

  /** Deletes the older file when the newer one has all about whatever began at `before` or later. */
  async trim(before: number): Promise<void> {
    if (this.#beginsAt.a === null || this.#beginsAt.b === null) await this.#channels()
    const { a, b } = this.#beginsAt
    if (a === null || b === null) return
    const [older, newerBeginsAt] = a <= b ? (['a', b] as const) : (['b', a] as const)
    if (newerBeginsAt + clockMarginMs > before) return
    this.#beginsAt[older] = null
    await this.#http.did('DELETE', `/recordings/stored/witness%2F${older}`)
    this.#beginsAt[older] = this.#clock.now()
  }

  async #exists(): Promise<boolean> {
    const there = await Promise.all(
      ['a', 'b'].map((file) => this.#http.did('GET', `/recordings/stored/witness%2F${file}`)),
    )
    return there.includes(true)
  }

  /** One reader at a time: the copies have fixed names, so that those of a reader who was killed do not pile up. */
  #channels(): Promise<Map<string, ChannelRecord>> {
    const reading = this.#reading.then(async () => {
      const channels = new Map<string, ChannelRecord>()
      for (const file of ['a', 'b'] as const) {
        const firstAt = takeLines(await this.#fetch(file), channels)
        this.#beginsAt[file] ??= firstAt ?? this.#clock.now()
      }
      return channels
    })
    this.#reading = reading.catch(() => undefined)
    return reading
  }

  /** '' when there is none. */
  async #fetch(file: 'a' | 'b'): Promise<string> {
    const copy = `/recordings/stored/witness%2Fread-${file}`
    const query = { destinationRecordingName: `witness/read-${file}` }
    const request = { deadlineMs, lane } as const
    await this.#http.did('DELETE', copy, { lane })
    const copied = await this.#http.did('POST', `/recordings/stored/witness%2F${file}/copy`, { query, ...request })
    if (!copied) return ''
    const text = await this.#http.text(`/ari${copy}/file`, request)
    await this.#http.did('DELETE', copy, { lane })
    return text
  }
}

const deadlineMs = 30_000
const lane = 'record'
const clockMarginMs = 5000
const provenWithinMs = 2000

const field = /"((?:[^"]|"")*)"/g
const hangUpForm = /"hangupcause":(\d+),"hangupsource":"([^"]*)"/

/**
 * Adds the lines to what is known of their channels, and answers the first one's time; null: there is none. The last line may be half written,
 * and the same line comes from both files.
 */
export function takeLines(text: string, channels: Map<string, ChannelRecord>): number | null {
  let firstAt: number | null = null
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    const [event, time, channelId, extra] = [...line.matchAll(field)].map(([, value]) => value?.replaceAll('""', '"'))
    const at = Math.floor(Number(time) * 1000)
    if (!event || !channelId || Number.isNaN(at)) continue
    firstAt ??= at
    if (event === 'CHAN_START' && !channels.has(channelId))
      channels.set(channelId, {
        channelId,
        startedAt: at,
        answeredAt: null,
        endedAt: null,
        cause: null,
        endedByFarEnd: false,
      })
    const known = channels.get(channelId)
    if (!known) continue // its beginning was trimmed: it was settled
    if (event === 'ANSWER') known.answeredAt ??= at
    if (event === 'HANGUP') {
      const [, cause, source] = hangUpForm.exec(extra ?? '') ?? []
      known.endedAt = at
      known.cause = cause === undefined ? null : Number(cause)
      known.endedByFarEnd = source !== undefined && source !== ''
    }
  }
  return firstAt
}
