import { startPostgres } from '@ghanti/server/db/pg-local.ts'
import { Client } from 'pg'
const p = await startPostgres({ folder: '/tmp/ghanti-bench-lists/postgres' })
const c = new Client({ connectionString: p.url() })
await c.connect()
for (const q of process.argv.slice(2)) {
  const r = await c.query(q)
  for (const x of [r].flat())
    console.log(
      x.command,
      x.rowCount,
      x.rows
        .slice(0, 60)
        .map((v) => Object.values(v).join(' | '))
        .join('\n'),
    )
}
await c.end()
await p.stop()
