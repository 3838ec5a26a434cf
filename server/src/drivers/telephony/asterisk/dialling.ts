import { dialable } from '@ghanti/contract/phone.ts'
import type { DialReply, DialRequest, Trunk } from '../driver.ts'
import { AriError, type AriHttp, AriSilence, wordsOf } from './http.ts'
import type { Leg } from './leg.ts'
import type { Legs } from './legs.ts'
import type { Link } from './link.ts'
import { calledAs, cliAs } from './numbers.ts'
import { Slots } from './slots.ts'
import type { Trunks } from './trunks.ts'
import type { DialerClock } from './dialer-clock.ts'

/** More at once make Asterisk slower, not faster. */
export const callsInFlightMax = 8
/** Beside ring and talk: what the dialler takes until it rings. */
const setUpMs = 5000

/**
 * Rings numbers. A channel is made first, in our application from its beginning, and then dialled: so nobody who answers is hung up on while
 * our socket is away. Until it is dialled nothing can ring, and what fails was not sent; afterwards it is 'unknown', and never repeated.
 */
export class Dialling {
  readonly #slots = new Slots(callsInFlightMax)
  readonly #app: string
  readonly #http: AriHttp
  readonly #link: Link
  readonly #legs: Legs
  readonly #trunks: Trunks
  readonly #clock: DialerClock

  constructor(parts: { app: string; http: AriHttp; link: Link; legs: Legs; trunks: Trunks; clock: DialerClock }) {
    this.#app = parts.app
    this.#http = parts.http
    this.#link = parts.link
    this.#legs = parts.legs
    this.#trunks = parts.trunks
    this.#clock = parts.clock
  }

  async dial(request: DialRequest): Promise<DialReply> {
    if (dialable(request.number)?.e164 !== request.number) throw new Error('not a dialable number in E.164')
    if (!/^[A-Za-z0-9-]{1,80}$/.test(request.channelId)) throw new Error(`not a channel id: ${request.channelId}`)
    if (!/^[\w+*# .-]{0,40}$/.test(request.cli)) throw new Error(`not a caller ID: ${request.cli}`)
    const until = performance.now() + request.deadlineMs
    if (!(await this.#slots.take(request.deadlineMs)))
      return { outcome: 'notSent', reason: `${callsInFlightMax} calls were being set up all the time` }
    try {
      return await this.#dialNow(request, until)
    } finally {
      this.#slots.giveBack()
    }
  }

  async #dialNow(request: DialRequest, until: number): Promise<DialReply> {
    const obstacle = this.#link.obstacle
    if (obstacle) return { outcome: 'notSent', reason: obstacle }
    const found = this.#trunks.find(request.trunk)
    if (typeof found === 'string') return { outcome: 'trunkFault', reason: found }
    if (this.#legs.get(request.channelId)) return { outcome: 'exists' }
    const leg = this.#legs.expect(request, this.#clock.now())
    const left = (): number => Math.max(1, until - performance.now())
    const started = this.#legs.started(leg.channelId, left())
    const refused = await this.#create(leg, request, found, left())
    if (refused) {
      this.#legs.giveUp(leg.channelId)
      return refused
    }
    if (await started) return this.#ring(leg, request, left())
    return this.#discarded(leg, 'Asterisk did not say that the channel was made')
  }

  /** Null: it is made, and does not ring. */
  async #create(
    leg: Leg,
    { channelId, cli, number, ringMs, talkMsMax }: DialRequest,
    { trunk, id }: { trunk: Trunk; id: string },
    deadlineMs: number,
  ): Promise<DialReply | null> {
    const caller = cliAs(cli, trunk.cliFormat)
    const variables = {
      'TIMEOUT(absolute)': seconds(setUpMs + ringMs + talkMsMax),
      'CONNECTEDLINE(num,i)': caller,
      'CONNECTEDLINE(num-pres,i)': 'allowed',
    }
    const endpoint = `PJSIP/${calledAs(number, trunk)}@${id}`
    try {
      const query = { endpoint, app: this.#app, channelId }
      await this.#http.ari('POST', '/channels/create', { query, body: { variables }, deadlineMs })
      return null
    } catch (error) {
      if (error instanceof AriSilence && error.left) return this.#discarded(leg, error.message)
      this.#legs.forget(channelId)
      if (error instanceof AriSilence) return { outcome: 'notSent', reason: error.message }
      if (!(error instanceof AriError)) throw error
      if (error.status === 409) return { outcome: 'exists' }
      const reason = `trunk ${trunk.name} takes no call (${error.message}): it does not answer, or is not set up`
      this.#trunks.failed(trunk.name, this.#clock.now(), reason)
      return { outcome: 'trunkFault', reason }
    }
  }

  async #ring(leg: Leg, { ringMs }: DialRequest, deadlineMs: number): Promise<DialReply> {
    const { channelId } = leg
    const query = { timeout: String(Math.max(1, Math.floor(ringMs / 1000))) }
    try {
      await this.#http.ari('POST', `/channels/${channelId}/dial`, { query, deadlineMs })
      return { outcome: 'dialled' }
    } catch (error) {
      if (error instanceof AriSilence && error.left) return { outcome: 'unknown', reason: error.message }
      if (!(error instanceof AriSilence) && !(error instanceof AriError)) throw error
      return this.#discarded(leg, wordsOf(error))
    }
  }

  /** It was or may have been made, was never dialled, and nobody is to hear of it. */
  #discarded(leg: Leg, reason: string): DialReply {
    leg.isHidden = true
    leg.cutByUs = true
    void this.#http.did('DELETE', `/channels/${leg.channelId}`).then(
      (wasThere) => wasThere || this.#legs.forget(leg.channelId),
      () => undefined, // its absolute time-out ends it
    )
    return { outcome: 'notSent', reason }
  }
}

export function seconds(ms: number): string {
  return (Math.max(50, ms) / 1000).toFixed(3)
}
