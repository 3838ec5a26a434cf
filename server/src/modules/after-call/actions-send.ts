import { setTimeout as sleep } from 'node:timers/promises'
import { takesMessages } from '@ghanti/contract/operators.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { answerMs } from '../../drivers/addresses/driver.ts'
import { unseal } from '../../lib/secrets.ts'
import { askFor, policyOf } from './actions-address.ts'
import { addressPurpose, againAfterSeconds, triesMax, words, type AddressPolicy, type Result } from './rules.ts'
import { begin, newHost, rest, shares, slowMs, type HostState } from './rules-turns.ts'
import * as store from './store-send.ts'

const tickMs = 200
/** The pause when nothing is due or another process holds the lock. */
const idleMs = 1000
const tidyEveryMs = 5000
/** Longer than any request can take, including recording its outcome. */
const cutOffMs = 4 * answerMs
const lateHours = 24
const hostKeptMs = 600_000
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
  readonly #hosts = new Map<string, HostState>()
  readonly #accounts = new Map<number, number>()
  /** Those whose last answer took long. */
  readonly #slow = new Set<number>()
  readonly #lastTurns = new Map<number, number>()
  readonly #underWay = new Set<Promise<void>>()
  #turn = 0
  #tidyAt = 0

  constructor(app: Sends, signal: AbortSignal) {
    this.#app = app
    this.#signal = signal
  }

  async run(): Promise<void> {
    while (!this.#signal.aborted) {
      await this.#app.db
        .connection()
        .execute((session) => this.#whileMine(session))
        .catch((error: unknown) =>
          this.#app.log.error({ error }, 'messages after calls could not be sent; trying again'),
        )
      await sleep(idleMs, undefined, { signal: this.#signal }).catch(() => undefined)
    }
    await Promise.all(this.#underWay)
  }

  /** Runs while this session holds the lock; returns at once when another one does. */
  async #whileMine(session: Db): Promise<void> {
    if (!(await store.lockSending(session))) return
    try {
      while (!this.#signal.aborted) {
        const begun = await this.#round(session)
        await sleep(begun ? tickMs : idleMs, undefined, { signal: this.#signal }).catch(() => undefined)
      }
    } finally {
      await store.unlockSending(session).catch(() => undefined) // losing the session releases the lock
    }
  }

  /** False when nothing was due. */
  async #round(session: Db): Promise<boolean> {
    const lanes = await store.dueLanes(session)
    const now = performance.now()
    if (now >= this.#tidyAt) {
      this.#tidyAt = now + tidyEveryMs
      await store.giveUpCutOff(session, cutOffMs, words.stopped)
      for (const lane of lanes) await store.endLate(session, lane, lateHours, words.late, lateAtOnce)
      this.#forgetHosts(now)
    }
    if (lanes.length === 0) return this.#underWay.size > 0
    const [hosts, accounts, slow, lastTurns] = [this.#hosts, this.#accounts, this.#slow, this.#lastTurns]
    const wanted = shares(lanes, { now, hosts, accounts, slow, lastTurns })
    if (wanted.length === 0) return true
    const policy = await policyOf(this.#app)
    const reasons = { stopped: words.campaignStopped, blacklisted: words.onBlacklist }
    for (const message of await store.claim(session, wanted, reasons)) this.#begin(message, policy)
    return true
  }

  #hostNamed(host: string): HostState {
    const known = this.#hosts.get(host)
    if (known) return known
    const added = newHost()
    this.#hosts.set(host, added)
    return added
  }

  #forgetHosts(now: number): void {
    for (const [name, host] of this.#hosts)
      if (host.underWay === 0 && now > host.restUntil + hostKeptMs && now > (host.begun.at(-1) ?? 0) + hostKeptMs)
        this.#hosts.delete(name)
  }

  #begin(message: store.Claimed, policy: AddressPolicy): void {
    const { account_id: id } = message
    const host = this.#hostNamed(message.host)
    begin(host, performance.now())
    this.#accounts.set(id, (this.#accounts.get(id) ?? 0) + 1)
    this.#lastTurns.set(id, ++this.#turn)
    const sent = this.#send(message, policy, host)
      .catch((error: unknown) =>
        this.#app.log.error({ error }, 'the end of a message after a call could not be stored'),
      )
      .finally(() => {
        host.underWay -= 1
        const left = (this.#accounts.get(id) ?? 1) - 1
        if (left > 0) this.#accounts.set(id, left)
        else this.#accounts.delete(id)
        this.#underWay.delete(sent)
      })
    this.#underWay.add(sent)
  }

  async #send(message: store.Claimed, policy: AddressPolicy, host: HostState): Promise<void> {
    const { db } = this.#app
    const begunAt = performance.now()
    const { state, reason } = await this.#resultOf(message, policy)
    if (performance.now() - begunAt > slowMs) this.#slow.add(message.account_id)
    else this.#slow.delete(message.account_id)
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
