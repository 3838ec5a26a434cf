import type { DialerConnection } from '../../drivers/telephony/driver.ts'
import type { DialerRow, TrunkRow } from '../schedule/snapshot/snapshot.sql.ts'
import { LiveState } from '../trunks/state/live-state.ts'
import { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'
import { TrunkTests } from '../trunks/test-calls/trunk-tests.ts'
import { DialerTrunks } from '../trunks/state/trunks.ts'
import type { DialerLink } from './dialer-link.ts'
import type { SessionContext } from './session-context.ts'

/** A session's trunks and caller IDs: their rates, their health, their tests, and the state of them that screens read. */
export class SessionTrunks {
  readonly trunks: DialerTrunks
  readonly health: TrunkHealthTracker
  readonly tests: TrunkTests
  readonly #state: LiveState
  readonly #link: DialerLink

  constructor(context: SessionContext, dialer: DialerRow, rows: readonly TrunkRow[]) {
    const { deps, log, holder, link, switchboard, monitor, timeScale } = context
    this.#link = link
    this.trunks = new DialerTrunks(dialer, rows, switchboard)
    const shared = { pool: deps.pool, log, lease: holder.lease, trunks: this.trunks, switchboard }
    this.health = new TrunkHealthTracker({
      ...shared,
      now: () => deps.clock.now().getTime(),
      timeScale,
      callTestNumber: (trunkId, cli) => this.tests.callNumberOf(trunkId, cli),
    })
    this.tests = new TrunkTests({
      ...deps,
      ...shared,
      monitor,
      health: this.health,
      connection: () => (holder.safe && !holder.isLeaving ? link.up : null),
      down: () => link.down?.reason ?? null,
    })
    this.#state = new LiveState({
      ...shared,
      settings: deps.dialerSettings,
      seen: () => deps.polls.seen.ask(holder.lease),
      now: () => deps.clock.now(),
      down: () => link.down,
      returning: () => link.isReturning,
      changed: (trunkId) => this.health.changed(trunkId),
    })
  }

  /** Sends the dialer the settings of its trunks. */
  async push(connection: DialerConnection): Promise<void> {
    await this.#state.push(connection)
  }

  /** Sends the dialer the settings that changed, as soon as it can be reached. */
  pushChanges(): void {
    const { up } = this.#link
    if (up) this.#state.pushChanges(up)
  }

  /** The dialer has the settings of its trunks as they are known here. */
  get arePushed(): boolean {
    return this.#state.isPushed
  }

  /** Stores the state of dialer and trunks, for the screens. */
  async keepState(): Promise<void> {
    await this.#state.keep(this.#link.connection)
  }

  dialerFailed(reason: string): void {
    this.#state.dialerFailed(reason)
  }

  close(): void {
    this.health.unproven.drop()
    this.tests.close()
  }
}
