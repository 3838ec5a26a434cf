import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStored } from '../../../drivers/files/driver.ts'
import type { NotRecorded } from '../../../db/tables.ts'
import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import type { DialerAudio } from './dialer-audio.ts'
import { RecordingNotice } from './recording-notice.ts'
import type { SoundCache } from './sound-cache.ts'
import {
  dueRecordings,
  findMissed,
  hasRoom,
  knownOf,
  recordingBegun,
  recordingEnded,
  recordingFailed,
  recordingNever,
  recordingStored,
  recordingWithheld,
  type Due,
} from './recordings.sql.ts'
import { raiseAlert } from '../../../dispatch/alerts.sql.ts'
import { messageOf } from '../../../lib/error-code.ts'
import { roomUncounted } from '../../../modules/quotas/actions.ts'

const atOnce = 4
const roomWithinMs = 1000
const sweepMs = 60_000
const fetchMsMax = 5 * 60_000
const retryMs = 30_000
const retryMsMax = 6 * 3600_000
/** All tries take a day and a half of a dialer that answers. What it cannot give by then it never can. */
const triesMax = 15
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Fetches conversations from the dialer. A table has each recording from the moment it begins, so that none is forgotten when an engine or a
 * dialer dies. A recording is fetched when it has ended, and deleted on the dialer when it is stored here.
 */
export class Recordings {
  readonly notice: RecordingNotice
  readonly #of: DialerAudio
  readonly #begun = new Map<string, Promise<void>>()
  /** Begun while the database was away. */
  readonly #unentered = new Map<string, { attemptId: number; campaignId: number }>()
  #sweepAt = -Infinity
  #unknown = 0

  constructor(of: DialerAudio, soundCache: SoundCache) {
    this.#of = of
    this.notice = new RecordingNotice(of.files, soundCache)
  }

  /** Whether the account has room for a recording. True when the database does not say so in time: a conversation must not be lost for it. */
  async hasRoom(accountId: number): Promise<boolean> {
    const late = sleep(roomWithinMs, true, { ref: false })
    const asked = hasRoom(this.#of.pool, accountId).catch((error: unknown) => {
      this.#of.log.error({ error, accountId }, 'the room for recordings could not be read')
      return true
    })
    return await Promise.race([asked, late])
  }

  /** Why a conversation is not recorded, for people who look for the recording. */
  withheld(of: { attemptId: number; accountId: number; why: NotRecorded }): void {
    if (of.why === 'noNotice') this.notice.recheck()
    recordingWithheld(this.#of.pool, of).catch((error: unknown) =>
      this.#of.log.error({ error, ...of }, 'the reason why a conversation is not recorded could not be stored'),
    )
  }

  begun(recordingId: string, of: { attemptId: number; campaignId: number }): void {
    this.#begun.set(recordingId, this.#enter(recordingId, of))
  }

  async #enter(recordingId: string, of: { attemptId: number; campaignId: number }): Promise<void> {
    const { pool, dialerId, log } = this.#of
    try {
      await recordingBegun(pool, { recordingId, dialerId, ...of })
      if (this.#unentered.delete(recordingId)) this.missedSome() // the report of its end found no entry
    } catch (error) {
      if (!this.#unentered.has(recordingId))
        log.error({ error, recordingId, ...of }, 'a recording could not be entered in the database; trying again')
      this.#unentered.set(recordingId, of)
    }
  }

  never(recordingId: string): void {
    const written = (this.#begun.get(recordingId) ?? Promise.resolve()).then(() =>
      recordingNever(this.#of.pool, recordingId),
    )
    this.#begun.delete(recordingId)
    this.#unentered.delete(recordingId)
    written.catch((error: unknown) =>
      this.#of.log.error({ error, recordingId }, 'a recording that never began is still expected'),
    )
  }

  async ended(recordingId: string): Promise<void> {
    await this.#begun.get(recordingId)
    this.#begun.delete(recordingId)
    await recordingEnded(this.#of.pool, recordingId)
  }

  /** Reports of recordings' ends may have been missed. */
  missedSome(): void {
    this.#sweepAt = -Infinity
  }

  /** One is to be fetched, or the dialer is to be asked for more. */
  get isDue(): boolean {
    return this.#of.recordingsDue() || this.#unentered.size > 0 || performance.now() >= this.#sweepAt
  }

  async round(signal: AbortSignal): Promise<void> {
    const { pool, dialerId, connection, recordingsDue } = this.#of
    const dialer = connection()
    if (!dialer) return
    await Promise.all([...this.#unentered].map(([recordingId, of]) => this.#enter(recordingId, of)))
    if (performance.now() >= this.#sweepAt) {
      this.#sweepAt = performance.now() + sweepMs
      await this.#sweep(dialer)
    }
    if (!recordingsDue()) return
    const due = await dueRecordings(pool, dialerId, atOnce)
    await Promise.all(due.map((one) => this.#bring(dialer, one, signal)))
  }

  async #sweep(connection: DialerConnection): Promise<void> {
    const { pool, dialerId, log } = this.#of
    const stored = await connection.storedRecordings()
    const ids = stored.filter((id) => idPattern.test(id))
    await findMissed(pool, dialerId, ids)
    const known = await knownOf(pool, ids)
    for (const { id, is_done } of known) if (is_done) await connection.deleteRecording(id)
    const unknown = stored.length - known.length
    if (unknown > 0 && unknown !== this.#unknown) {
      log.error({ unknown }, 'the dialer holds recordings that belong to no call of this installation')
      const detail = `it holds ${unknown} that belong to no call of this installation; they stay there`
      await raiseAlert(pool, 'recording', `dialer ${dialerId}`, detail)
    }
    this.#unknown = unknown
  }

  async #bring(connection: DialerConnection, due: Due, signal: AbortSignal): Promise<void> {
    const { pool, log } = this.#of
    try {
      await this.#store(connection, due, signal)
      await connection.deleteRecording(due.id) // if this request is lost, the next sweep deletes it
    } catch (error) {
      if (signal.aborted || this.#of.connection() !== connection) return
      const retryInMs = Math.min(retryMsMax, retryMs * 2 ** due.tries) * this.#of.timeScale()
      log.error({ error, recordingId: due.id, attemptId: due.attempt_id }, 'a recording could not be stored')
      const reason = messageOf(error)
      await recordingFailed(pool, due.id, reason, { retryInMs, triesMax })
    }
  }

  async #store(connection: DialerConnection, due: Due, signal: AbortSignal): Promise<void> {
    const { pool, files } = this.#of
    const folder = await mkdtemp(join(tmpdir(), 'ghanti-recording-'))
    try {
      const path = join(folder, 'recording.wav')
      const until = AbortSignal.any([signal, AbortSignal.timeout(fetchMsMax)])
      await pipeline(await connection.fetchRecording(due.id), createWriteStream(path), { signal: until })
      const { durationMs, bytes } = await measured(path)
      const hash = await files.put(path, roomUncounted('recording'))
      const isThere = (): Promise<boolean> => isStored(files, hash)
      const client = await pool.connect()
      let broken = true
      try {
        if (!(await recordingStored(client, due, { hash, durationMs, bytes, isThere })))
          throw new Error('its file was removed with an older one of the same bytes')
        broken = false
      } finally {
        client.release(broken)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** How long a wav file lasts, and its size. Throws with a sentence when it is no wav file, or an empty or truncated one. */
async function measured(path: string): Promise<{ durationMs: number; bytes: number }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer: head, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    const text = (at: number): string => head.toString('latin1', at, at + 4)
    if (bytesRead < 44 || text(0) !== 'RIFF' || text(8) !== 'WAVE') throw new Error('it is no wav file')
    let bytesPerSecond = 0
    for (let at = 12; at + 8 <= bytesRead; at += 8 + head.readUInt32LE(at + 4)) {
      if (text(at) === 'fmt ') bytesPerSecond = head.readUInt32LE(at + 16)
      if (text(at) !== 'data') continue
      const bytes = head.readUInt32LE(at + 4)
      if (bytes === 0) throw new Error('it is empty')
      if (bytesPerSecond === 0 || at + 8 + bytes > size) throw new Error('it is cut')
      return { durationMs: Math.round((bytes * 1000) / bytesPerSecond), bytes: size }
    }
    throw new Error('it holds no sound')
  } finally {
    await file.close()
  }
}
