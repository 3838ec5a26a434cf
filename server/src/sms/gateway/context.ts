import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { SmsDriver } from '../../db/tables.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import type { GatewayEvents, SmsGateway } from '../../drivers/sms/driver.ts'
import type { LagMeter } from '../../dispatch/rounds/lag-meter.ts'
import type { Liveness } from '../../dispatch/lease/liveness.ts'
import type { PrepareTurns } from '../../dispatch/turns/account-turns.ts'
import type { SmsOutcome } from '../settle/settle.sql.ts'
import type { SmsSnapshots } from '../schedule/snapshots.ts'
import type { GatewayRow } from '../model/snapshot.sql.ts'

/** Opens a gateway by its row. A gateway whose driver is missing here is left alone. */
type OpenGatewayRow = (row: GatewayRow, events: GatewayEvents) => SmsGateway

export type SmsEngineOptions = {
  /** A pool of the engine's own, with `enginePoolOptions` and at least 6 connections, one of which only shows that the engine lives. */
  pool: Pool
  drivers: Partial<Record<SmsDriver, OpenGatewayRow>>
  files: FilesDriver
  clock: Clock
  log: Logger
  /** The engine's name, for people who read the leases. */
  engineId: string
  /** One factor for every wait: rows that come back, probes, receipts. */
  timeScale?: number
  leaseMs?: number
}

/** What the coordinator and the gateways of a process share. */
export type SmsContext = SmsEngineOptions & {
  timeScale: number
  leaseMs: number
  liveness: Liveness
  lag: LagMeter
  turns: PrepareTurns
  snapshots: SmsSnapshots
  /** Campaigns whose progress is to be written. */
  changed: Set<number>
  /** Outcomes that were known and could not be written when a lease was lost. The gateway's next holder in this process writes them. */
  unwritten: Map<number, SmsOutcome>
  /** The prefix of our tokens. */
  installation: string
}
