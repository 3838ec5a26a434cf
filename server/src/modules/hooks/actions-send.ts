import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { postMs, type AddressAnswer } from '../../drivers/addresses/driver.ts'
import { unseal } from '../../lib/secrets.ts'
import { policyOf } from '../after-call/actions-address.ts'
import { reachOf, whyNotAsked, type AddressPolicy } from '../after-call/rules.ts'
import { idleMs, sendInRounds, Turns } from '../after-call/actions-turns.ts'
import { giveNotice } from '../notices/actions.ts'
import { bodyOf, written } from './actions-body.ts'
import { signedHeaders } from './actions-signature.ts'
import * as rules from './rules.ts'
import { words } from './rules.ts'
import * as store from './store-send.ts'

/** Longer than any try can take, including recording its outcome: what a dead process had taken is sent again. */
const lostMs = 4 * postMs
const newsAtOnce = 1000

type Sends = Pick<App, 'db' | 'config' | 'log' | 'addresses' | 'clock'>

/**
 * Makes events of what happened and sends them. Only the process whose session holds the lock does, by turns of accounts (rules-turns.ts), so that
 * one receiver that is slow delays no other's. Nothing counts as sent before it was answered: a process that dies leaves what it had taken, which is
 * sent again under the same id.
 */
class Sender {
  readonly #app: Sends
  readonly #signal: AbortSignal
  readonly #turns = new Turns()
  #madeAt = 0

  constructor(app: Sends, signal: AbortSignal) {
    this.#app = app
    this.#signal = signal
  }

  async run(): Promise<void> {
    await sendInRounds(this.#app, this.#signal, {
      lock: store.lockSending,
      unlock: store.unlockSending,
      round: (session) => this.#round(session),
      fault: 'webhooks could not be sent; trying again',
    })
    await this.#turns.ended()
  }

  /** False when nothing was due. */
  async #round(session: Db): Promise<boolean> {
    const now = performance.now()
    // What happens within the pause becomes one event.
    if (now - this.#madeAt >= idleMs) {
      await store.makeEvents(session, newsAtOnce)
      this.#madeAt = now
    }
    const lanes = await store.dueHooks(session)
    this.#turns.forgetHosts(now)
    if (lanes.length === 0) return this.#turns.anyUnderWay
    const wanted = this.#turns.share(lanes, performance.now())
    if (wanted.length === 0) return true
    const policy = await policyOf(this.#app)
    const probes = wanted.map((lane) => (lane.is_resting ? { ...lane, wanted: 1 } : lane))
    for (const delivery of await store.claim(session, probes, lostMs)) this.#begin(delivery, policy)
    return true
  }

  #begin(delivery: store.Claimed, policy: AddressPolicy): void {
    this.#turns.begin(delivery, () =>
      this.#send(delivery, policy).catch((error: unknown) =>
        this.#app.log.error({ error }, 'the end of a delivery could not be stored'),
      ),
    )
  }

  async #send(delivery: store.Claimed, policy: AddressPolicy): Promise<void> {
    const { db, clock } = this.#app
    const body = await bodyOf(db, delivery)
    if (!body) return store.endDeleted(db, delivery, words.deleted)
    const begunAt = performance.now()
    const answer = await this.#ask(delivery, policy, written(body))
    const ms = Math.round(performance.now() - begunAt)
    this.#turns.answeredIn(delivery.account_id, ms)
    const end = typeof answer === 'string' ? rules.notSent(answer) : rules.endOf(answer, clock.now(), postMs)
    if (end.state === 'delivered') await store.endDelivered(db, delivery, { status: end.status, ms })
    else await this.#failed(delivery, end, ms)
  }

  /** A sentence where nothing was sent. */
  async #ask(delivery: store.Claimed, policy: AddressPolicy, body: string): Promise<AddressAnswer | string> {
    const opened = this.#open(delivery)
    if (opened === null) return words.unreadable
    const { url, secrets } = opened
    const isListed = policy.hosts.includes(url.host)
    if (whyNotAsked(policy, url) !== null || (url.protocol !== 'https:' && !isListed)) return words.notAllowed
    const id = rules.eventIdOf(delivery.key)
    const headers = signedHeaders({ id, at: this.#app.clock.now(), body }, secrets)
    return await this.#app.addresses.post(url, reachOf(policy, url), { headers, body })
  }

  /** Null when they were sealed with a secret that this server no longer has. */
  #open(delivery: store.Claimed): { url: URL; secrets: string[] } | null {
    const { secret } = this.#app.config
    const { url_sealed: url, secret_sealed: now, before_sealed: before } = delivery
    try {
      const secrets = [now, ...(before === null ? [] : [before])]
      return {
        url: new URL(unseal(secret, rules.urlPurpose, url)),
        secrets: secrets.map((one) => unseal(secret, rules.secretPurpose, one)),
      }
    } catch {
      return null
    }
  }

  /** A test is tried once, and rests nothing. */
  async #failed(delivery: store.Claimed, failed: rules.Failed, ms: number): Promise<void> {
    const { db, clock } = this.#app
    const { status, reason, retryAfterMs } = failed
    const tries = delivery.tries + 1
    const waitMs = delivery.is_test || failed.isGone ? null : rules.waitAfter(tries, Math.random(), retryAfterMs)
    await db.transaction().execute(async (tx) => {
      if (!(await store.endFailed(tx, delivery, { status, ms, reason, waitMs }))) return
      const hook = await store.hookToChange(tx, delivery)
      if (!hook) return
      const now = clock.now()
      const after = rules.afterFailure(hook, failed, now)
      const isUsed = hook.state === 'active' || hook.state === 'resting'
      if (after.off !== null && isUsed && (failed.isGone || !delivery.is_test)) {
        await store.changeHook(tx, delivery.hook_id, {
          ...after,
          state: 'off',
          reason: after.off,
          restUntil: null,
        })
        await giveNotice(tx, {
          userId: delivery.account_id,
          kind: 'hookOff',
          subjectId: delivery.hook_id,
          about: delivery.host,
          reason: after.off,
        })
      } else if (isUsed && !delivery.is_test) {
        const { restMs } = after
        await store.changeHook(tx, delivery.hook_id, {
          ...after,
          state: restMs === null ? 'active' : 'resting',
          reason,
          restUntil: restMs === null ? null : new Date(now.getTime() + restMs),
        })
      } else if (!isUsed) await store.setReason(tx, delivery.hook_id, reason)
    })
  }
}

/** Starts sending. The returned function stops it and gives requests under way a few seconds to end. */
export function startHooks(app: Sends): () => Promise<void> {
  const ending = new AbortController()
  const running = new Sender(app, ending.signal).run()
  return async () => {
    ending.abort()
    await running
  }
}
