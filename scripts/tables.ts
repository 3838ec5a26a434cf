/** Writes server/src/db/tables.ts from a migrated database, or with `--verify` fails when it is not what a migration gives. */
import { spawnSync } from 'node:child_process'
import * as path from 'node:path'
import { startTestPostgres } from '../server/src/testing/postgres.ts'

const root = path.resolve(import.meta.dirname, '..')
const postgres = await startTestPostgres()
const result = spawnSync(
  process.execPath,
  [
    path.join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
    `--url=${postgres.url(postgres.template)}`,
    '--dialect=postgres',
    '--default-schema=public',
    '--exclude-pattern=pgboss.*',
    '--type-mapping={"int8":"number"}',
    '--numeric-parser=number',
    '--date-parser=string',
    `--out-file=${path.join(root, 'server/src/db/tables.ts')}`,
    ...(process.argv.includes('--verify') ? ['--verify'] : []),
  ],
  { stdio: 'inherit' },
)
await postgres.stop()
process.exitCode = result.status ?? 1
