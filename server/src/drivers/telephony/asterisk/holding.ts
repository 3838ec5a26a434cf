import { AriError, type AriHttp, AriSilence } from './http.ts'
import type { Legs } from './legs.ts'

/**
 * The way out of Asterisk's dial bridge, where whoever was dialled stays after the answer: all of them in one bridge, which costs a third of
 * the CPU of a call. It cannot be left as such, but who joins another bridge leaves it, and may leave that one: so everybody passes through
 * this one, which bears a name of its own and outlives calls, clients and connections.
 */
export class HoldingBridge {
  readonly #http: AriHttp
  readonly #legs: Legs
  readonly #name: string
  readonly #path: string
  #isThere = false
  #making: Promise<void> | null = null

  constructor({ app, http, legs }: { app: string; http: AriHttp; legs: Legs }) {
    this.#http = http
    this.#legs = legs
    this.#name = `${app}-holding`
    this.#path = `/bridges/${this.#name}`
  }

  /** It died with the dialer, or somebody removed it. A dialer that makes none plays in the dial bridge. */
  make(): Promise<void> {
    this.#making ??= this.#make().finally(() => (this.#making = null))
    return this.#making
  }

  /**
   * To be called before anything is played to it, then resolves when it may be: a channel that hears something goes nowhere until that has ended.
   * Never rejects; whoever cannot leave stays, and hears the same.
   */
  async leaveDialBridge(channelId: string): Promise<void> {
    const leg = this.#legs.get(channelId)
    if (!leg) return
    const mayLeave = this.#isThere && leg.isUp && !leg.isEnding && !leg.cutByUs
    await (leg.leavingDialBridge ??= mayLeave ? this.#passThrough(channelId) : Promise.resolve())
  }

  /** The same for who is about to be joined with somebody, and leaves the dial bridge by that. */
  async leavesByJoining(channelId: string): Promise<void> {
    const leg = this.#legs.get(channelId)
    if (leg) await (leg.leavingDialBridge ??= Promise.resolve())
  }

  async #make(): Promise<void> {
    this.#isThere = await this.#http
      .did('GET', this.#path)
      .then(
        (isThere) => isThere || this.#http.did('POST', this.#path, { query: { type: 'holding', name: this.#name } }),
      )
      .catch(noAnswerOfUse)
  }

  async #passThrough(channelId: string): Promise<void> {
    let isIn = await this.#move('addChannel', channelId)
    if (isIn === null) {
      await this.make()
      isIn = this.#isThere ? await this.#move('addChannel', channelId) : null
    }
    if (isIn) await this.#move('removeChannel', channelId)
  }

  /** False: the channel is gone, or about to be, or nothing was answered. Null: the bridge is not what it should be. */
  async #move(how: 'addChannel' | 'removeChannel', channel: string): Promise<boolean | null> {
    try {
      await this.#http.ari('POST', `${this.#path}/${how}`, { query: { channel } })
      return true
    } catch (error) {
      if (error instanceof AriError && (error.status === 404 || error.status >= 500)) return null
      return noAnswerOfUse(error)
    }
  }
}

function noAnswerOfUse(error: unknown): false {
  if (error instanceof AriError || error instanceof AriSilence) return false
  throw error
}
