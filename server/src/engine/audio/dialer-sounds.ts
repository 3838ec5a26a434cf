import type { Logger } from 'pino'
import type { Pool } from 'pg'
import { Farewell } from './farewell.ts'
import { Recordings } from './recordings.ts'
import { SoundCache } from './sound-cache.ts'
import { SpeechCache } from './speech-cache.ts'
import { unusedSounds } from './unused-sounds.sql.ts'
import type { Clock } from '../../clock.ts'
import type { FilesDriver } from '../../drivers/files/driver.ts'
import type { DialerConnection } from '../../drivers/telephony/driver.ts'
import type { SpeechDeps } from '../../modules/speech/actions.ts'
import { promptNames } from '../call/plan.sql.ts'
import type { Polls } from '../tick/polls.ts'

type DialerSoundsOptions = {
  pool: Pool
  files: FilesDriver
  speech: SpeechDeps
  clock: Clock
  log: Logger
  polls: Polls
  dialerId: number
  dialerName(): string
  /** Null while the dialer cannot be asked. */
  connection(): DialerConnection | null
  timeScale(): number
}

/** The sounds of one dialer: those that calls are to hear and that must be on it, and the recordings that come from it. */
export class DialerSounds {
  readonly cache: SoundCache
  readonly speech: SpeechCache
  readonly recordings: Recordings
  readonly farewell: Farewell
  readonly #pool: Pool
  readonly #log: Logger

  constructor(options: DialerSoundsOptions) {
    const { pool, log, clock } = options
    this.#pool = pool
    this.#log = log
    this.cache = new SoundCache({
      ...options,
      now: () => clock.now(),
      promptName: (id) => promptNames(pool, [id]),
    })
    this.speech = new SpeechCache({ ...options, soundCache: this.cache })
    this.recordings = new Recordings({ ...options, soundCache: this.cache })
    this.farewell = new Farewell({ ...options, cache: this.cache })
  }

  /** Removes sounds from the dialer that nothing uses any more. They would be proven again. */
  async tidy(connection: DialerConnection): Promise<void> {
    const removed = await connection.tidySounds((hashes) => unusedSounds(this.#pool, hashes))
    this.cache.recheck(removed.map((hash) => ({ hash })))
    if (removed.length > 0) this.#log.info({ removed: removed.length }, 'sounds that nobody uses were removed')
  }
}
