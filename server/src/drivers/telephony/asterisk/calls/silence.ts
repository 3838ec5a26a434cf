import { silentCause } from '../../../../lib/trunk-limits.ts'
import { AriError, type AriHttp, AriSilence } from '../ari/http.ts'
import { Variable } from '../ari/messages.ts'
import type { Leg } from './leg.ts'

/** Names the channels whose far end has replied anything: empty for a channel that nobody has answered, not even by 100 Trying. No event says so. */
const repliesOf = 'HANGUPCAUSE_KEYS()'

/**
 * Ends calls to which the operator replies nothing at all, long before their ring timeout. Asterisk is asked about those alone that are silent for so
 * long. When it cannot be asked, the ring timeout ends them.
 */
export class Silence {
  readonly #http: AriHttp
  readonly #isAlive: (leg: Leg) => boolean

  constructor(http: AriHttp, isAlive: (leg: Leg) => boolean) {
    this.#http = http
    this.#isAlive = isAlive
  }

  watch(leg: Leg, silentMs: number): void {
    if (leg.ringMs !== null && leg.ringMs <= silentMs) return
    setTimeout(() => {
      if (this.#isQuiet(leg)) this.#end(leg).catch(ignoreRefusalOrSilence)
    }, silentMs).unref()
  }

  #isQuiet(leg: Leg): boolean {
    return this.#isAlive(leg) && !leg.isEnding && !leg.isUp && !leg.alerted
  }

  async #end(leg: Leg): Promise<void> {
    const path = `/channels/${leg.channelId}`
    const { value } = Variable.parse(
      await this.#http.ari('GET', `${path}/variable`, { query: { variable: repliesOf } }),
    )
    if (value !== '' || !this.#isQuiet(leg)) return
    leg.isSilent = true
    await this.#http.did('DELETE', path, { query: { reason_code: String(silentCause) } })
  }
}

/** The channel is gone, the dialer lacks func_hangupcause, or it does not answer. */
function ignoreRefusalOrSilence(error: unknown): void {
  if (!(error instanceof AriError) && !(error instanceof AriSilence)) throw error
}
