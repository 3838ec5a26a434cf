import type { Logger } from 'pino'
import type { DialerConnection, DialerEvent } from '../../../drivers/telephony/driver.ts'
import type { Recordings } from '../audio/recordings.ts'
import type { Switchboard } from '../call/switchboard.ts'
import { RtpSamples } from '../trace/rtp-samples.ts'
import { SipTraces } from '../trace/sip-traces.ts'
import type { TrunkTests } from '../trunks/test-calls/trunk-tests.ts'
import type { DialerLink } from '../connection/dialer-link.ts'
import type { SessionContext } from '../connection/session-context.ts'

/** How often it is asked, while the dialer is silent, whether the lease is still ours. */
const lostEveryMs = 100

/** Delivers what the dialer reports: to the link, the recordings, the traces, the tests of trunks, and the calls. */
export class DialerEvents {
  readonly #log: Logger
  readonly #link: DialerLink
  readonly #holder: SessionContext['holder']
  readonly #ends: () => void
  readonly #recordings: Recordings
  readonly #tests: TrunkTests
  readonly #switchboard: Switchboard
  readonly #traces: SipTraces
  readonly #rtp: RtpSamples
  #watch: NodeJS.Timeout | undefined

  /** `ends`: the dialer is another engine's, or may be and says nothing any more, so whatever we do there ends now. */
  constructor(context: SessionContext, recordings: Recordings, tests: TrunkTests, ends: () => void) {
    this.#log = context.log
    this.#link = context.link
    this.#holder = context.holder
    this.#ends = ends
    this.#recordings = recordings
    this.#tests = tests
    this.#switchboard = context.switchboard
    this.#traces = new SipTraces(context)
    this.#rtp = new RtpSamples(context)
  }

  listenTo(connection: DialerConnection): void {
    connection.onEvents((events) => this.#deliverAll(events))
  }

  #deliverAll(events: readonly DialerEvent[]): void {
    for (const event of events) {
      try {
        this.#deliver(event)
      } catch (error) {
        this.#log.error({ error, event }, 'an event of the dialer could not be carried out')
      }
    }
  }

  #deliver(event: DialerEvent): void {
    switch (event.type) {
      case 'lost':
        this.#link.lost(event.reason)
        clearInterval(this.#watch)
        if (!this.#endIfLost()) this.#watch = setInterval(() => this.#endIfLost(), lostEveryMs)
        break
      case 'restored':
        clearInterval(this.#watch)
        if (!this.#endIfLost()) void this.#link.restored()
        break
      case 'replaced':
        this.#holder.lose('another client took the dialer over')
        this.#ends()
        break
      case 'recordingEnded':
        this.#recordings.ended(event.recordingId).catch((error: unknown) => {
          this.#log.error(
            { error, event },
            'the end of a recording could not be entered in the database, the next sweep does it',
          )
        })
        break
      default:
        if (event.type === 'hungUp') this.#traces.ended(event)
        else if (event.type === 'answered') this.#rtp.answered(event.channelId)
        if (event.type === 'bridgePlaybackEnded' || !this.#tests.deliver(event)) this.#switchboard.deliver(event)
    }
  }

  /** While the dialer is silent we do not hear of another engine that takes it, and by coming back we would take it from that one. */
  #endIfLost(): boolean {
    if (this.#holder.lost === null) return false
    clearInterval(this.#watch)
    this.#ends()
    return true
  }

  get hasTraces(): boolean {
    return this.#traces.isDue
  }

  /** Stores the SIP messages of calls that have ended. */
  keepTraces(): Promise<void> {
    return this.#traces.round(this.#link.up)
  }

  close(): void {
    clearInterval(this.#watch)
    this.#rtp.close()
  }
}
