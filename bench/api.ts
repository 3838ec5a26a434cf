/** The API in a separate process, as with `ROLES=api npm start`. Reports its address to the parent and exits with it. */
import * as path from 'node:path'
import { systemClock } from '@ghanti/server/clock.ts'
import { readConfig } from '@ghanti/server/config.ts'
import { openJobs } from '@ghanti/server/db/jobs/jobs.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { httpAddresses } from '@ghanti/server/drivers/addresses/http.ts'
import { testFiles } from '@ghanti/server/testing/files/test-files.ts'
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { handlers } from '@ghanti/server/handlers.ts'
import { createHttp } from '@ghanti/server/http/server.ts'
import { httpPortsOf } from '@ghanti/server/http-ports.ts'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { WorkLimits } from '../server/src/modules/limits/actions.ts'

const config = readConfig()
const databaseUrl = z.string().parse(config.databaseUrl)
const fail = (error: Error): void => {
  throw error
}
const pool = openPool({ connectionString: databaseUrl, max: config.databasePool, name: 'bench-api' }, fail)
const log = pino({ level: config.logLevel, serializers: { error: pino.stdSerializers.err } })
const jobs = await openJobs(databaseUrl, log, { supervise: false })
const files = testFiles(path.join(config.dataFolder, 'files'))
const app = {
  config,
  db: kyselyOver(pool),
  databaseUrl,
  clock: systemClock,
  log,
  files,
  jobs,
  mail: null,
  mailbox: null,
  tts: espeakTts(),
  addresses: httpAddresses(),
  replica: null,
  workLimits: new WorkLimits(),
}
const { http } = await createHttp(app, { handlers, ports: httpPortsOf(app), console: null })
process.send?.(await http.listen({ port: config.port, host: config.host }))

process.once('disconnect', async () => {
  await http.close()
  await jobs.stop({ graceful: false })
  await pool.end()
})
