import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../../clock.ts'
import { testFiles, type TestFiles } from '../../testing/files/test-files.ts'
import { espeakTts } from '../../drivers/tts/espeak.ts'
import type { PrepareDeps } from '../prepare/prepare.ts'
import type { EngineDb } from './fixtures.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'

/** What preparing needs, over files and a speech engine that go with the test file. */
export function prepareDeps(at: EngineDb): PrepareDeps & { files: TestFiles } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-prepare-'))
  atEndOfFile(() => fs.rmSync(folder, { recursive: true, force: true }))
  const files = testFiles(folder)
  const tts = espeakTts()
  atEndOfFile(() => tts.close())
  const speech = { db: at.db, files, tts }
  return { pool: at.engine, files, speech, clock: systemClock, log: pino({ level: 'silent' }) }
}
