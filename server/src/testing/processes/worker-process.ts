/** A process that works on background jobs until it is killed: `node worker-process.ts <database url> <data folder>`. */
import * as path from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../../clock.ts'
import { readConfig } from '../../config.ts'
import { openJobs } from '../../db/jobs/jobs.ts'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { httpAddresses } from '../../drivers/addresses/http.ts'
import { localFiles } from '../../drivers/files/local.ts'
import { espeakTts } from '../../drivers/tts/espeak.ts'
import { startWorkers } from '../../jobs.ts'
import { WorkLimits } from '../../modules/limits/actions.ts'

const [databaseUrl = '', dataFolder = ''] = process.argv.slice(2)
const config = readConfig({ DATA_FOLDER: dataFolder, LOG_LEVEL: 'silent', PORT: '0' })
const log = pino({ level: 'error' })
const pool = openPool({ connectionString: databaseUrl, max: 2, name: 'ghanti-test-worker' }, () => {})
await startWorkers({
  config,
  databaseUrl,
  db: kyselyOver(pool),
  clock: systemClock,
  log,
  files: localFiles(path.join(dataFolder, 'files')),
  jobs: await openJobs(databaseUrl, log, { supervise: false }),
  mail: null,
  mailbox: null,
  tts: espeakTts(),
  addresses: httpAddresses(),
  replica: null,
  workLimits: new WorkLimits(),
})
