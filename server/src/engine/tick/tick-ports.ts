import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { Clock } from '../../clock.ts'
import type { Farewell } from '../audio/farewell.ts'
import type { Recordings } from '../audio/recordings.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'
import type { LeftToOthers } from '../dial/left-to-others.ts'
import type { Switchboard } from '../dial/switchboard.ts'
import type { InvariantMonitor } from '../invariants/monitor.ts'
import type { ClaimPorts } from '../schedule/claim/claims.ts'
import type { Writer } from '../settle/writer.ts'
import type { TrunkHealthTracker } from '../trunks/health/trunk-health.ts'
import type { Polls } from './polls.ts'

/** What the ticks of a dialer use of its session. */
export type TickPorts = ClaimPorts & {
  deps: { pool: Pool; clock: Clock; polls: Pick<Polls, 'snapshots' | 'channels' | 'contracts'> }
  log: Logger
  /** `since`: monotonic. Null: the dialer answers. */
  down: { since: number; reason: string } | null
  speech: SpeechCache
  health: TrunkHealthTracker
  leftToOthers: Pick<LeftToOthers, 'routesAre' | 'leavesQueueFrom' | 'leftOf'>
  monitor: Pick<InvariantMonitor, 'setUp' | 'over' | 'retried'>
  recordings: Pick<Recordings, 'notice'>
  farewell: Pick<Farewell, 'update'>
  switchboard: Switchboard
  hours: Map<number, CallingHours>
  writer: Pick<Writer, 'waiting'>
  ensureConnected(): Promise<void>
  pushTrunks(): void
  checkOverdue(): void
}
