/**
 * A process that uses an embedded PostgreSQL, to be killed by pg-local.test.ts: `node pg-local-child.ts <folder> once|hold`. Writes one row
 * durably, prints a report, then stops or holds until SIGTERM; exits 3 when the server goes away.
 */
import { Client } from 'pg'
import { startPostgres } from '../../db/embedded/pg-local.ts'

const [folder = '', mode = 'once'] = process.argv.slice(2)
const postgres = await startPostgres({ folder, onLost: () => process.exit(3) })
const client = new Client({ connectionString: postgres.url() })
client.on('error', () => {})
await client.connect()
await client.query('select pg_advisory_lock(1)')
await client.query('create table if not exists mark (id int generated always as identity)')
await client.query('insert into mark default values')
const { rows } = await client.query<{ n: number }>('select count(*)::int n from mark')
await client.end()
const { pid, port, adopted } = postgres
process.stdout.write(`${JSON.stringify({ pid, port, adopted, rows: rows[0]?.n })}\n`)
if (mode === 'hold') {
  process.once('SIGTERM', () => void postgres.stop().then(() => process.exit(0)))
  setInterval(() => {}, 1000)
} else await postgres.stop()
