import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../../clock.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import type { TelephonyDriver } from '../../drivers/telephony/driver.ts'
import type { SpeechDeps } from '../../modules/speech/actions.ts'
import type { LineSettings } from '../trunks/trunk-data.ts'
import type { Polls } from './polls.ts'

export type SessionDeps = {
  pool: Pool
  files: FilesDriver
  speech: SpeechDeps
  clock: Clock
  log: Logger
  driver: TelephonyDriver
  lines: LineSettings
  /** Null: as fast as the dialer's own calls. */
  timeScale: number | null
  channelPrefix: string
  /** Since when the dialer has been silent, where that began before this engine had it. Null: it answered. */
  lostSince: Date | null
  polls: Polls
}

/** For how long the dialer had been silent when this engine took it. */
export function lostMs({ lostSince, clock }: SessionDeps): number {
  return lostSince ? Math.max(0, clock.now().getTime() - lostSince.getTime()) : 0
}
