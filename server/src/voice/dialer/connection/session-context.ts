import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { Clock } from '../../../clock.ts'
import type { FilesDriver } from '../../../drivers/files/driver.ts'
import type { TelephonyDriver } from '../../../drivers/telephony/driver.ts'
import type { SpeechDeps } from '../../../modules/speech/actions.ts'
import type { Switchboard } from '../call/switchboard.ts'
import type { InvariantMonitor } from '../../invariants/monitor.ts'
import type { Lease } from '../../../dispatch/statement.ts'
import type { DialerSettings } from '../../model/calls/trunk-data.ts'
import type { DialerRow, TrunkRow } from '../../model/campaigns/snapshot.sql.ts'
import type { SymptomCounter } from '../symptoms/symptom-counter.ts'
import type { DialerLink } from './dialer-link.ts'
import type { DialerPolls } from './dialer-polls.ts'
import type { LeaseHolder } from '../../../dispatch/lease/lease-holder.ts'
import type { Writer } from '../../settle/writer.ts'

/** What a session gets of the engine. */
export type SessionDeps = {
  pool: Pool
  files: FilesDriver
  speech: SpeechDeps
  clock: Clock
  log: Logger
  driver: TelephonyDriver
  dialerSettings: DialerSettings
  /** Null: as fast as the dialer's own calls. */
  timeScale: number | null
  channelPrefix: string
  /** Since when the dialer has been silent, where that began before this engine had it. Null: it answered. */
  lostSince: Date | null
  polls: DialerPolls
  /** With the present settings, which for an idle dialer are read only now and then. */
  readTrunks(): Promise<{ dialer: DialerRow | undefined; trunks: readonly TrunkRow[] }>
  /** Of all dialers of this engine. */
  writer: Writer
}

/** What all parts of a session use. */
export type SessionContext = {
  deps: SessionDeps
  log: Logger
  holder: LeaseHolder<Lease>
  link: DialerLink
  switchboard: Switchboard
  monitor: InvariantMonitor
  symptoms: SymptomCounter
  /** When campaigns may dial, as the last tick found it. */
  hours: ReadonlyMap<number, CallingHours>
  timeScale(): number
}
