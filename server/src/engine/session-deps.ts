import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { TelephonyDriver } from '../drivers/telephony/driver.ts'
import type { SpeechDeps } from '../modules/speech/actions.ts'
import type { LineSettings } from './line-data.ts'
import type { Polls } from './polls.ts'

export type SessionDeps = {
  pool: Pool
  files: FilesDriver
  speech: SpeechDeps
  clock: Clock
  log: Logger
  driver: TelephonyDriver
  lines: LineSettings
  /** Null: as fast as the dialer's own calls pass. */
  timeScale: number | null
  channelPrefix: string
  polls: Polls
}
