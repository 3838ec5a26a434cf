/** The follower of insight's counters in a separate process, as with `ROLES=worker npm start`. Reports to the parent that it runs, and exits with it. */
import { kyselyOver, openPool } from '@ghanti/server/db/pool.ts'
import { startCounting } from '@ghanti/server/modules/insight/actions-count.ts'
import { pino } from 'pino'
import * as z from 'zod/mini'
import { fail } from './bench.ts'

const connectionString = z.string().parse(process.env['DATABASE_URL'])
const pool = openPool({ connectionString, max: 2, name: 'bench-follower' }, fail)
const stop = startCounting({ db: kyselyOver(pool), log: pino({ level: 'error' }) })
process.send?.('counting')

process.once('disconnect', async () => {
  await stop()
  await pool.end()
})
