import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { DialerConnection } from '../drivers/telephony/driver.ts'
import { run, statement, type Queryable } from './statement.ts'

export type Recorded = { recordingId: string; attemptId: number; campaignId: number; durationMs: number }

const recordingStatement = statement(
  'store_recording',
  `insert into recording (id, attempt_id, campaign_id, file_hash, duration_ms) values ($1, $2, $3, $4, $5) on conflict (id) do nothing`,
)

/** Fetched from the dialer, stored, then forgotten there. */
export async function storeRecording(
  db: Queryable,
  files: FilesDriver,
  line: DialerConnection,
  recorded: Recorded,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ghanti-recording-'))
  try {
    const path = join(folder, 'recording.wav')
    await pipeline(await line.fetchRecording(recorded.recordingId), createWriteStream(path))
    const hash = await files.put(path)
    const { recordingId, attemptId, campaignId, durationMs } = recorded
    await run(db, recordingStatement, [recordingId, attemptId, campaignId, hash, Math.round(durationMs)])
    await line.deleteRecording(recordingId)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
