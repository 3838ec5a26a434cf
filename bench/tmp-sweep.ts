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
const [only = '', match = '', over = '3000', overMs = '40'] = process.argv.slice(2)
for (const list of listsOf(world, { wholly: true }).filter(({ name }) => name.startsWith(only))) {
  const headers = { authorization: `Bearer ${await tokenOf(app, list.viewer.userId)}` }
  const out = []
  let n = 0,
    worst = 0,
    worstPages = 0
  for (const q of list.questions.filter((q) => new RegExp(match).test(q.text))) {
    const a = await costOf(q.url, { ears, pool, headers })
    let t = a.statements.reduce((s, x) => s + x.spentMs, 0)
    if (t > 40) {
      for (let i = 0; i < 1; i++) {
        const b = await costOf(q.url, { ears, pool, headers })
        t = Math.min(
          t,
          b.statements.reduce((s, x) => s + x.spentMs, 0),
        )
      }
    }
    n++
    worst = Math.max(worst, t)
    worstPages = Math.max(worstPages, a.pages)
    if (t > Number(overMs) || a.pages > Number(over))
      out.push({
        t,
        pages: a.pages,
        text: q.text,
        top: a.statements
          .filter((s) => s.pages > 0.2 * a.pages)
          .map((s) => `${s.pages}p ${s.spentMs.toFixed(0)}ms ${s.said.slice(0, 60)}`),
      })
  }
  console.log(
    `== ${list.name}: ${n} questions, worst ${worst.toFixed(1)} ms, most pages ${worstPages}, flagged ${out.length}`,
  )
  for (const o of out.toSorted((a, b) => b.t - a.t).slice(0, 25))
    console.log(
      `   ${o.t.toFixed(1).padStart(8)} ms ${String(o.pages).padStart(8)}p ${o.text}  || ${o.top.join(' ; ')}`,
    )
}
await ears.close()
await jobs.stop({ graceful: false })
await pool.end()
await postgres.stop()
