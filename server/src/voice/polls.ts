import { SchedulerPolls } from './scheduler/scheduler-polls.ts'
import { DialerPolls } from './dialer/connection/dialer-polls.ts'
import type { Queryable } from '../dispatch/statement.ts'
import { dueDialers } from './due-dialers.sql.ts'

/**
 * Questions that each dialer of this process asks the database again and again, although mostly nothing has happened. They are asked for all
 * dialers at once, so that an idle dialer costs no transaction. Each dialer acts on its answer under its own lease.
 */
export class Polls {
  readonly dialer: DialerPolls
  readonly scheduler: SchedulerPolls
  readonly #db: Queryable
  readonly #whenDue = new Map<number, () => void>()

  constructor(db: Queryable, leaseMs: number) {
    this.#db = db
    this.dialer = new DialerPolls(db, leaseMs)
    this.scheduler = new SchedulerPolls(db)
  }

  /** Reads which dialers have something to do, and tells these. */
  async read(): Promise<void> {
    const due = Map.groupBy(await dueDialers(this.#db), ({ what }) => what)
    const { tests, recordings } = this.dialer
    const { active, waiting } = this.scheduler
    const flags = { active, waiting, tests, recordings }
    for (const what of ['active', 'waiting', 'tests', 'recordings'] as const)
      flags[what].are((due.get(what) ?? []).map((row) => row.dialer_id))
    this.scheduler.snapshots.version = due.get('lines')?.[0]?.version ?? null
    for (const [dialerId, go] of this.#whenDue) if (this.isDue(dialerId)) go()
  }

  /** The dialer has something to do that does not wait. */
  isDue(dialerId: number): boolean {
    const { tests, recordings } = this.dialer
    return [this.scheduler.active, tests, recordings].some((flagged) => flagged.has(dialerId))
  }

  /** `go`: called after each poll in which the dialer has something to do. */
  whenDue(dialerId: number, go: () => void): void {
    this.#whenDue.set(dialerId, go)
  }

  /** Another engine holds the dialer. */
  forget(dialerId: number): void {
    this.#whenDue.delete(dialerId)
    this.scheduler.snapshots.forget(dialerId)
  }
}
