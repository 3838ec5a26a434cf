import { randomUUID } from 'node:crypto'
import { type Media, TelephonyError, type WarmReply } from '../driver.ts'
import { type AriHttp, wordsOf } from './http.ts'
import type { Sounds } from './media.ts'
import type { AriEvent } from './messages.ts'

type Finished = Extract<AriEvent, { type: 'PlaybackFinished' }>

/** So many at a time, each in a bridge where nobody listens. */
const lanes = 4
/** Of each sound only its end is played: it is fetched and opened as a whole for that. */
const playedMs = 200
/** Two fetches that time out, and some. */
const provenWithinMs = 15_000

/** Brings sounds to Asterisk before calls need them. */
export class Warmer {
  readonly #app: string
  readonly #http: AriHttp
  readonly #sounds: Sounds
  readonly #waiting = new Map<string, (state: string) => void>()

  constructor(app: string, http: AriHttp, sounds: Sounds) {
    this.#app = app
    this.#http = http
    this.#sounds = sounds
  }

  take({ playback }: Finished): void {
    this.#waiting.get(playback.id)?.(playback.state)
  }

  /** No event comes any more. */
  lost(): void {
    for (const done of this.#waiting.values()) done('lost')
  }

  async warm(media: readonly Media[]): Promise<WarmReply> {
    const left = [...new Map(media.map((one) => [one.hash, one])).values()]
    const failed: { hash: string; reason: string }[] = []
    const lane = async (): Promise<void> => {
      for (let one = left.shift(); one; one = left.shift()) {
        const reason = await this.#prove(one)
        if (reason !== null) failed.push({ hash: one.hash, reason })
      }
    }
    await Promise.all(Array.from({ length: Math.min(lanes, left.length) }, lane))
    return { failed }
  }

  /** Why it cannot be played; null: it can. */
  async #prove(media: Media): Promise<string | null> {
    let uri
    try {
      uri = await this.#sounds.uriOf(media)
    } catch (error) {
      return `it could not be brought to the dialer: ${wordsOf(error)}`
    }
    const state = await this.#play(uri, media.durationMs)
    if (state === 'done') return null
    if (state === 'lost') throw new TelephonyError('the dialer was lost while it fetched sounds')
    this.#sounds.forget(media.hash)
    return state === 'late'
      ? `the dialer could not fetch it within ${provenWithinMs / 1000} s`
      : 'the dialer could not play it'
  }

  /** In a bridge of its own: one whose last sound has just ended takes no other for a moment. Answers how it ended. */
  async #play(uri: string, durationMs: number): Promise<string> {
    const id = `warm-${randomUUID()}`
    await this.#http.ari('POST', `/bridges/${id}`, { query: { type: 'mixing', name: this.#app } })
    try {
      await this.#http.ari('POST', `/applications/${this.#app}/subscription`, {
        query: { eventSource: `bridge:${id}` },
      })
      const finished = this.#finished(id)
      const offsetms = String(Math.max(0, Math.floor(durationMs) - playedMs))
      await this.#http.ari('POST', `/bridges/${id}/play/${id}`, { query: { offsetms }, body: { media: [uri] } })
      return await finished
    } finally {
      await this.#http.did('DELETE', `/bridges/${id}`).catch(() => false) // the next connection removes it
    }
  }

  #finished(playbackId: string): Promise<string> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => done('late'), provenWithinMs)
      const done = (state: string): void => {
        clearTimeout(timer)
        this.#waiting.delete(playbackId)
        resolve(state)
      }
      this.#waiting.set(playbackId, done)
    })
  }
}
