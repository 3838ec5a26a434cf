import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import type { DialerRow, TrunkRow } from '../../model/campaigns/snapshot.sql.ts'
import { LiveState } from './live-state.ts'
import { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'
import { TrunkTests } from '../trunks/test-calls/trunk-tests.ts'
import { DialerTrunks } from '../trunks/state/trunks.ts'
import type { DialerLink } from '../connection/dialer-link.ts'
import type { SessionContext } from '../connection/session-context.ts'

/** A session's trunks and caller IDs: their rates, their health, their tests, and the state of them that screens read. */
export class SessionTrunks {
  readonly trunks: DialerTrunks
  readonly health: TrunkHealthTracker
  readonly tests: TrunkTests
  readonly #state: LiveState
  readonly #link: DialerLink

  constructor(context: SessionContext, dialer: DialerRow, rows: readonly TrunkRow[]) {
    this.#link = context.link
    this.trunks = new DialerTrunks(dialer, rows, context.switchboard)
    this.health = new TrunkHealthTracker(context, this.trunks)
    this.tests = new TrunkTests(context, this.trunks, this.health)
    this.#state = new LiveState(context, this.trunks, this.health)
  }

  /** Calls the test number of the trunk whose health was just told of a call, if that made campaigns wait. */
  testSuspect(): void {
    const suspect = this.health.takeSuspect()
    if (suspect) this.tests.callNumberOf(suspect.trunkId, suspect.number)
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
