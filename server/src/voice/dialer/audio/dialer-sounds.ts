import type { Logger } from 'pino'
import type { Pool } from 'pg'
import type { DialerAudio } from './dialer-audio.ts'
import { Farewell } from './farewell.ts'
import { Recordings } from './recordings.ts'
import { SoundCache } from './sound-cache.ts'
import { SpeechCache } from './speech-cache.ts'
import { unusedSounds } from './unused-sounds.sql.ts'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import { promptNames } from '../../model/calls/plan.sql.ts'

/** The sounds of one dialer: those that calls are to hear and that must be on it, and the recordings that come from it. */
export class DialerSounds {
  readonly cache: SoundCache
  readonly speech: SpeechCache
  readonly recordings: Recordings
  readonly farewell: Farewell
  readonly #pool: Pool
  readonly #log: Logger

  constructor(of: DialerAudio) {
    this.#pool = of.pool
    this.#log = of.log
    this.cache = new SoundCache(of, (id) => promptNames(of.pool, [id]))
    this.speech = new SpeechCache(of, this.cache)
    this.recordings = new Recordings(of, this.cache)
    this.farewell = new Farewell(of, this.cache)
  }

  /** Removes sounds from the dialer that nothing uses any more. They would be proven again. */
  async tidy(connection: DialerConnection): Promise<void> {
    const removed = await connection.tidySounds((hashes) => unusedSounds(this.#pool, hashes))
    this.cache.recheck(removed.map((hash) => ({ hash })))
    if (removed.length > 0) this.#log.info({ removed: removed.length }, 'sounds that nobody uses were removed')
  }
}
