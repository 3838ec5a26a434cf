import { takesMessages } from '@ghanti/contract/operators.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { answerMs } from '../../drivers/addresses/driver.ts'
import { unseal } from '../../lib/secrets.ts'
import { askFor, policyOf } from './actions-address.ts'
import { addressPurpose, againAfterSeconds, triesMax, words, type AddressPolicy, type Result } from './rules.ts'
import { sendInRounds, Turns } from './actions-turns.ts'
import { rest, type HostState } from './rules-turns.ts'
import * as store from './store-send.ts'

const tidyEveryMs = 5000
/** Longer than any request can take, including recording its outcome. */
const cutOffMs = 4 * answerMs
const lateHours = 24
const lateAtOnce = 1000

type Sends = Pick<App, 'db' | 'config' | 'log' | 'addresses'>

/**
 * Sends the requests that calls made due. Only the process whose session holds the lock sends, and it claims on that session, so a process
 * that loses the lock claims nothing.
 * - claimed: committed before the first byte leaves, and started once
 * - concurrency: rules-turns.ts, round robin between accounts
 * - cut off: what a dead process had started is unknown and never sent again
 */
class Sender {
  readonly #app: Sends
  readonly #signal: AbortSignal
  readonly #turns = new Turns()
  #tidyAt = 0

  constructor(app: Sends, signal: AbortSignal) {
    this.#app = app
    this.#signal = signal
  }

  async run(): Promise<void> {
    await sendInRounds(this.#app, this.#signal, {
      lock: store.lockSending,
      unlock: store.unlockSending,
      round: (session) => this.#round(session),
      fault: 'messages after calls could not be sent; trying again',
    })
    await this.#turns.ended()
  }

  /** False when nothing was due. */
  async #round(session: Db): Promise<boolean> {
    const lanes = await store.dueLanes(session)
    const now = performance.now()
    if (now >= this.#tidyAt) {
      this.#tidyAt = now + tidyEveryMs
      await store.giveUpCutOff(session, cutOffMs, words.stopped)
      for (const lane of lanes) await store.endLate(session, lane, lateHours, words.late, lateAtOnce)
      this.#turns.forgetHosts(now)
    }
    if (lanes.length === 0) return this.#turns.anyUnderWay
    const wanted = this.#turns.share(lanes, now)
    if (wanted.length === 0) return true
    const policy = await policyOf(this.#app)
    const reasons = { stopped: words.campaignStopped, blacklisted: words.onBlacklist }
    for (const message of await store.claim(session, wanted, reasons)) this.#begin(message, policy)
    return true
  }

  #begin(message: store.Claimed, policy: AddressPolicy): void {
    this.#turns.begin(message, (host) =>
      this.#send(message, policy, host).catch((error: unknown) =>
        this.#app.log.error({ error }, 'the end of a message after a call could not be stored'),
      ),
    )
  }

  async #send(message: store.Claimed, policy: AddressPolicy, host: HostState): Promise<void> {
    const { db } = this.#app
    const begunAt = performance.now()
    const { state, reason } = await this.#resultOf(message, policy)
    this.#turns.answeredIn(message.account_id, performance.now() - begunAt)
    if (state !== 'again') {
      host.misses = 0
      return store.end(db, message, { state, reason })
    }
    rest(host, performance.now())
    if (message.tries >= triesMax)
      return store.end(db, message, { state: 'failed', reason: words.unreachable(reason ?? '') })
    await store.putBack(db, message, { reason: words.again(reason ?? ''), seconds: againAfterSeconds(message.tries) })
  }

  async #resultOf({ phone, address_sealed: sealed }: store.Claimed, policy: AddressPolicy): Promise<Result> {
    if (!takesMessages(phone)) return { state: 'failed', reason: words.landline }
    const address = this.#open(sealed)
    if (address === null) return { state: 'failed', reason: words.unreadable }
    return askFor(this.#app, policy, address, nationalOf(String(phone)))
  }

  /** Null when the address was forgotten, or sealed with a secret that this server no longer has. */
  #open(sealed: string | null): string | null {
    try {
      return sealed && unseal(this.#app.config.secret, addressPurpose, sealed)
    } catch {
      return null
    }
  }
}

/** Starts sending. The returned function stops it and gives requests under way a few seconds to end. */
export function startAfterCalls(app: Sends): () => Promise<void> {
  const ending = new AbortController()
  const running = new Sender(app, ending.signal).run()
  return async () => {
    ending.abort()
    await running
  }
}
