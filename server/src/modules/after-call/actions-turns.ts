import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app.ts'
import type { Db } from '../../db/db.ts'
import { begin, newHost, shares, slowMs, type HostState, type Lane } from './rules-turns.ts'

const tickMs = 200
/** The pause when nothing is due or another process holds the lock. */
export const idleMs = 1000
const hostKeptMs = 600_000

type Rounds = {
  /** True when this session now holds the lock, which it keeps until it ends. */
  lock: (session: Db) => Promise<boolean>
  unlock: (session: Db) => Promise<void>
  /** False when nothing was due. */
  round: (session: Db) => Promise<boolean>
  /** What its faults are logged as. */
  fault: string
}

/** Sends in rounds, until `signal`, while its session holds the lock: a process that loses it claims nothing. */
export async function sendInRounds(
  { db, log }: Pick<App, 'db' | 'log'>,
  signal: AbortSignal,
  { lock, unlock, round, fault }: Rounds,
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  const whileMine = async (session: Db): Promise<void> => {
    if (!(await lock(session))) return
    try {
      while (!signal.aborted) await pause((await round(session)) ? tickMs : idleMs)
    } finally {
      await unlock(session).catch(() => undefined) // losing the session releases the lock
    }
  }
  while (!signal.aborted) {
    await db
      .connection()
      .execute(whileMine)
      .catch((error: unknown) => log.error({ error }, fault))
    await pause(idleMs)
  }
}

/** What this process has under way, by host and by account, from which the next turns follow (rules-turns.ts). */
export class Turns {
  readonly #hosts = new Map<string, HostState>()
  readonly #accounts = new Map<number, number>()
  /** Those whose last answer took long. */
  readonly #slow = new Set<number>()
  readonly #lastTurns = new Map<number, number>()
  readonly #underWay = new Set<Promise<void>>()
  #turn = 0

  get anyUnderWay(): boolean {
    return this.#underWay.size > 0
  }

  share<L extends Lane>(lanes: readonly L[], now: number): (L & { wanted: number })[] {
    const [hosts, accounts, slow, lastTurns] = [this.#hosts, this.#accounts, this.#slow, this.#lastTurns]
    return shares(lanes, { now, hosts, accounts, slow, lastTurns })
  }

  /** `work` counts for its host and account until it ends; it handles its own faults. */
  begin({ host: name, account_id: id }: Lane, work: (host: HostState) => Promise<void>): void {
    const host = this.#hostNamed(name)
    begin(host, performance.now())
    this.#accounts.set(id, (this.#accounts.get(id) ?? 0) + 1)
    this.#lastTurns.set(id, ++this.#turn)
    const sent = work(host).finally(() => {
      host.underWay -= 1
      const left = (this.#accounts.get(id) ?? 1) - 1
      if (left > 0) this.#accounts.set(id, left)
      else this.#accounts.delete(id)
      this.#underWay.delete(sent)
    })
    this.#underWay.add(sent)
  }

  answeredIn(accountId: number, ms: number): void {
    if (ms > slowMs) this.#slow.add(accountId)
    else this.#slow.delete(accountId)
  }

  forgetHosts(now: number): void {
    for (const [name, host] of this.#hosts)
      if (host.underWay === 0 && now > host.restUntil + hostKeptMs && now > (host.begun.at(-1) ?? 0) + hostKeptMs)
        this.#hosts.delete(name)
  }

  async ended(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  #hostNamed(name: string): HostState {
    const known = this.#hosts.get(name)
    if (known) return known
    const added = newHost()
    this.#hosts.set(name, added)
    return added
  }
}
