import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { Clock } from '../../../clock.ts'
import type { FilesDriver } from '../../../drivers/files/driver.ts'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import type { SpeechDeps } from '../../../modules/speech/actions.ts'

/** What everything that brings sounds to a dialer or from it uses. */
export type DialerAudio = {
  pool: Pool
  files: FilesDriver
  speech: SpeechDeps
  clock: Clock
  log: Logger
  /** Recordings are to be fetched from it. */
  recordingsDue(): boolean
  dialerId: number
  dialerName(): string
  /** Null while the dialer cannot be asked. */
  connection(): DialerConnection | null
  timeScale(): number
}
