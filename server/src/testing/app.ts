import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { pino } from 'pino'
import type { App } from '../app.ts'
import type { Clock } from '../clock.ts'
import { readConfig, type Config } from '../config.ts'
import { openJobs } from '../db/jobs/jobs.ts'
import { httpAddresses } from '../drivers/addresses/http.ts'
import { testFiles, type TestFiles } from './files/test-files.ts'
import { espeakTts } from '../drivers/tts/espeak.ts'
import type { Mail, MailDriver } from '../drivers/mail/driver.ts'
import { WorkLimits } from '../modules/limits/actions.ts'
import { workLimits, type WorkKind, type WorkLimit } from '../modules/limits/rules.ts'
import { testDb, type TestDb } from './db.ts'
import { atEndOfFile } from './cleanup.ts'

/** Real time until it is set. From then on it stands still and is moved by hand. */
export type TestClock = Clock & { set(to: Date): void; advance(ms: number): void }

export function testClock(): TestClock {
  let fixed: number | null = null
  return {
    now: () => new Date(fixed ?? Date.now()),
    set: (to) => (fixed = to.getTime()),
    advance: (ms) => (fixed = (fixed ?? Date.now()) + ms),
  }
}

/** Generous limits, because a test file does in a minute what accounts do in a day. Tests of the limits set their own. */
const much = { atOnce: 1000, perMinute: 100_000, perDay: 1_000_000 }
const plenty = Object.fromEntries(
  Object.entries(workLimits).map(([kind, limit]) => [kind, { ...limit, ...much }]),
) as Record<WorkKind, WorkLimit>

type TestMail = MailDriver & { sent: Mail[] }

function testMail(): TestMail {
  const sent: Mail[] = []
  return { sent, send: async (mail) => void sent.push(mail), close: () => {} }
}

export type TestApp = App & {
  mail: TestMail
  clock: TestClock
  files: TestFiles
  pool: TestDb['pool']
  url: string
  loginUrl: string
}

/**
 * The real app on a database of this test file's own, with files in a temporary folder and a clock that tests set.
 * Only telephony is missing: the engine's tests bring it.
 */
export async function testApp(settings: Partial<Config> = {}): Promise<TestApp> {
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-test-'))
  atEndOfFile(() => fs.rmSync(dataFolder, { recursive: true, force: true }))
  const { db, pool, url, loginUrl } = await testDb()
  const config: Config = { ...readConfig({ DATA_FOLDER: dataFolder, LOG_LEVEL: 'silent', PORT: '0' }), ...settings }
  const log = pino({ level: config.logLevel, serializers: { error: pino.stdSerializers.err } })
  const jobs = await openJobs(loginUrl, log, { supervise: false })
  atEndOfFile(() => jobs.stop({ graceful: false }))
  const tts = espeakTts()
  atEndOfFile(() => tts.close())
  const mail = testMail()
  return {
    config,
    db,
    databaseUrl: loginUrl,
    pool,
    url,
    loginUrl,
    clock: testClock(),
    log,
    files: testFiles(path.join(dataFolder, 'files')),
    jobs,
    tts,
    mail,
    mailbox: null,
    addresses: httpAddresses(),
    replica: null,
    workLimits: new WorkLimits(plenty),
  }
}
