import { systemClock } from '@ghanti/server/clock.ts'
import { readConfig } from '@ghanti/server/config.ts'
import { openJobs } from '@ghanti/server/db/jobs.ts'
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { localFiles } from '@ghanti/server/drivers/files/local.ts'
import { espeakTts } from '@ghanti/server/drivers/tts/espeak.ts'
import { tokenOf } from '@ghanti/server/testing/seed.ts'
import { startPostgres } from '@ghanti/server/db/pg-local.ts'
import { pino } from 'pino'
import { readFileSync } from 'node:fs'
import { WorkLimits } from '../server/src/modules/limits/actions.ts'
import { fail } from './bench.ts'
import { listsOf } from './lists-questions.ts'
import { costOf, earsOn } from './lists-statements.ts'
const folder = '/tmp/ghanti-bench-lists'
const world = JSON.parse(readFileSync(folder + '/world.json', 'utf8')).world
const postgres = await startPostgres({ folder: folder + '/postgres' })
const pool = openPool({ connectionString: postgres.url(), max: 4, name: 'bench' }, fail)
const log = pino({ level: 'error' })
const jobs = await openJobs(postgres.url(), log, { supervise: false })
const app = {
  config: readConfig({ DATA_FOLDER: folder, LOG_LEVEL: 'error', PORT: '0' }),
  db: kyselyOver(pool),
  databaseUrl: postgres.url(),
  clock: systemClock,
  log,
  files: localFiles(folder),
  jobs,
  mail: null,
  mailbox: null,
  tts: espeakTts(),
  workLimits: new WorkLimits(),
}
const ears = await earsOn(app, pool)
const [lname, viewerRole, qs, min = '1000'] = process.argv.slice(2)
for (const list of listsOf(world, { wholly: true }).filter(({ name }) => name === `${lname} (${viewerRole})`)) {
  const headers = { authorization: `Bearer ${await tokenOf(app, list.viewer.userId)}` }
  const url = list.url + '?pageSize=25&page=1&' + qs
  for (const { text, values } of await ears.statementsOf(url, headers)) {
    const { rows } = await pool.query<any>(`explain (analyze, buffers, settings) ${text}`, values as any)
    const lines = rows.map((r: any) => r['QUERY PLAN'])
    const m = /Execution Time: ([\d.]+)/.exec(lines.join('\n'))
    const b = [...(/shared hit=(\d+)(?: read=(\d+))?/g.exec(lines.join('\n')) ?? [])]
    if (Number(b[1] ?? 0) + Number(b[2] ?? 0) > Number(min)) {
      console.log('-----', text.slice(0, 3000), JSON.stringify(values).slice(0, 300))
      console.log(lines.join('\n').slice(0, 9000))
    }
  }
}
await ears.close()
await jobs.stop({ graceful: false })
await pool.end()
await postgres.stop()
