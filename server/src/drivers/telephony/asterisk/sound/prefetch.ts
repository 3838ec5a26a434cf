import { randomUUID } from 'node:crypto'
import { type Media, TelephonyError, type PrefetchReply } from '../../driver.ts'
import { type AriHttp, type AriRequest } from '../ari/http.ts'
import type { Sounds } from './media.ts'
import type { AriEvent } from '../ari/messages.ts'
import { messageOf } from '../../../../lib/error-code.ts'

type Finished = Extract<AriEvent, { type: 'PlaybackFinished' }>
type Failed = PrefetchReply['failed'][number]
type Brought = { media: Media; uri: string }

/** Played one after the other in a bridge where nobody listens. */
const soundsOfBridge = 25
const copiesAtOnce = 4
/** Only the end of each sound is played; for that the dialer must fetch and open all of it. */
const playedMs = 20
/** Two fetches that time out, and a margin. */
const provenWithinMs = 15_000
/** Endless silence that holds back whatever is queued behind it. */
const holding = 'tone:0/1000'

export const prefetchBridges = (app: string): string => `${app}-sounds`

/**
 * Brings sounds to Asterisk before calls need them, over sockets of its own, so that calls keep theirs.
 * - In a shared folder it writes each file, and the dialer plays the last one, which shows that it sees the others.
 * - From an address the dialer plays each sound, for which it must fetch it.
 */
export class SoundPrefetcher {
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

  /** Called when no further event comes. */
  lost(): void {
    for (const done of this.#waiting.values()) done('lost')
  }

  async prefetch(media: readonly Media[]): Promise<PrefetchReply> {
    const failed: Failed[] = []
    const brought: Brought[] = []
    await inLanes([...new Map(media.map((one) => [one.hash, one])).values()], copiesAtOnce, 1, async ([one]) => {
      if (!one) return
      try {
        brought.push({ media: one, uri: await this.#sounds.bring(one) })
      } catch (error) {
        failed.push({ hash: one.hash, reason: `it could not be brought to the dialer: ${messageOf(error)}` })
      }
    })
    const unproven = this.#sounds.areShared && (await this.#seesLast(brought)) ? [] : brought
    const bridges = this.#http.soundsAtOnce
    await inLanes(unproven, bridges, Math.min(soundsOfBridge, Math.ceil(unproven.length / bridges)), async (some) => {
      failed.push(...(await this.#prove(some)))
    })
    return { failed }
  }

  async #seesLast(brought: readonly Brought[]): Promise<boolean> {
    return (await this.#prove(brought.slice(-1))).length === 0
  }

  /** Returns the sounds that cannot be played. */
  async #prove(sounds: readonly Brought[]): Promise<Failed[]> {
    if (sounds.length === 0) return []
    const states = await this.#play(sounds)
    return sounds.flatMap(({ media: { hash } }, index) => {
      const state = states[index]
      if (state === 'done') return []
      if (state === 'lost') throw new TelephonyError('the dialer was lost while it fetched sounds')
      this.#sounds.forget(hash)
      const late = `the dialer could not fetch it within ${provenWithinMs / 1000} s`
      return [{ hash, reason: state === 'late' ? late : 'the dialer could not play it' }]
    })
  }

  /**
   * Plays in a bridge of its own and returns how each sound ended. A bridge whose last sound has just ended accepts no other for a moment, so a
   * silence comes first, and ends when all sounds are queued behind it.
   */
  async #play(sounds: readonly Brought[]): Promise<string[]> {
    const id = `prefetch-${randomUUID()}`
    const hold = `${id}-hold`
    await this.#ask(`/bridges/${id}`, { query: { type: 'mixing', name: prefetchBridges(this.#app) } })
    try {
      await this.#ask(`/applications/${this.#app}/subscription`, { query: { eventSource: `bridge:${id}` } })
      await this.#ask(`/bridges/${id}/play/${hold}`, { body: { media: [holding] } })
      const ended = this.#ended(sounds.map((_, index) => `${id}-${index}`))
      await Promise.all(
        sounds.map(({ media, uri }, index) => {
          const offsetms = String(Math.max(0, Math.floor(media.durationMs) - playedMs))
          return this.#ask(`/bridges/${id}/play/${id}-${index}`, { query: { offsetms }, body: { media: [uri] } })
        }),
      )
      await this.#http.did('DELETE', `/playbacks/${hold}`, { lane: 'sounds' })
      return await ended
    } finally {
      await this.#http.did('DELETE', `/bridges/${id}`, { lane: 'sounds' }).catch(() => false) // otherwise the next connection removes it
    }
  }

  async #ask(path: string, request: AriRequest): Promise<void> {
    await this.#http.ari('POST', path, { ...request, lane: 'sounds' })
  }

  /** 'late' when no sound has ended for a long time. */
  #ended(playbackIds: readonly string[]): Promise<string[]> {
    const states = new Map<string, string>()
    return new Promise((resolve) => {
      const timer = setTimeout(() => end('late'), provenWithinMs)
      const end = (rest: string): void => {
        clearTimeout(timer)
        for (const id of playbackIds) this.#waiting.delete(id)
        resolve(playbackIds.map((id) => states.get(id) ?? rest))
      }
      const one = (id: string, state: string): void => {
        timer.refresh()
        states.set(id, state)
        if (state === 'lost' || states.size === playbackIds.length) end(state)
      }
      for (const id of playbackIds) this.#waiting.set(id, (state) => one(id, state))
    })
  }
}

async function inLanes<T>(
  items: readonly T[],
  width: number,
  size: number,
  work: (some: T[]) => Promise<void>,
): Promise<void> {
  const left = [...items]
  const lane = async (): Promise<void> => {
    for (let some = left.splice(0, size); some.length > 0; some = left.splice(0, size)) await work(some)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
