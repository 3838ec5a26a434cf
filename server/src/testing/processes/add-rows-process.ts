/** A process that adds rows to a contact file and is killed in the middle: `node add-rows-process.ts <database url> <data folder> <what, as JSON>`. */
import { statSync } from 'node:fs'
import * as path from 'node:path'
import { pino } from 'pino'
import type { App } from '../../app.ts'
import { systemClock } from '../../clock.ts'
import { readConfig } from '../../config.ts'
import { openJobs } from '../../db/jobs/jobs.ts'
import { kyselyOver, openPool } from '../../db/pool.ts'
import { httpAddresses } from '../../drivers/addresses/http.ts'
import { testFiles } from '../files/test-files.ts'
import { espeakTts } from '../../drivers/tts/espeak.ts'
import type { Ctx } from '../../http/types.ts'
import { addToBase } from '../../modules/contacts/actions-added.ts'
import { WorkLimits } from '../../modules/limits/actions.ts'

const [databaseUrl = '', dataFolder = '', what = '{}'] = process.argv.slice(2)
const { viewer, baseId, more, moment }: { viewer: Ctx['viewer']; baseId: number; more: string; moment: string } =
  JSON.parse(what)
const die = (): void => void process.kill(process.pid, 'SIGKILL')
const log = pino({ level: 'silent' })
const files = testFiles(path.join(dataFolder, 'files'))
const pool = openPool({ connectionString: databaseUrl, max: 2, name: 'ghanti-test-adding' }, () => {})
const app: App = {
  config: readConfig({ DATA_FOLDER: dataFolder, LOG_LEVEL: 'silent', PORT: '0' }),
  databaseUrl,
  db: kyselyOver(pool),
  clock: systemClock,
  log,
  files: {
    ...files,
    async put(from) {
      const hash = await files.put(from)
      if (moment === 'stored') die()
      return hash
    },
  },
  jobs: await openJobs(databaseUrl, log, { supervise: false }),
  mail: null,
  mailbox: null,
  tts: espeakTts(),
  addresses: httpAddresses(),
  replica: null,
  workLimits: new WorkLimits(),
}
if (moment === 'written') setTimeout(die, 150) // the thread is reading and writing
const baseFile = { path: more, size: statSync(more).size, fileName: 'more.csv', declaredType: 'text/csv' }
const ctx = { app, viewer, origin: { ip: '127.0.0.1' } } as Ctx
await addToBase(ctx, baseId, { baseFile, contactList: undefined }, {})
