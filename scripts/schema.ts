/**
 * Compares the schema that this tree makes with that of another commit, each made from nothing:
 *
 *     npm run schema -- COMMIT
 *
 * Migrations are folded into `server/schema/` when no release in use lacks them: write what they do into the files, delete them, and store the digest of
 * what they are called (`server/src/db/schema/migrate.ts`). This command must then find nothing.
 */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { Client } from 'pg'
import { migrate, migrationFiles, migrationsIn } from '../server/src/db/schema/migrate.ts'
import { catalogueOf } from '../server/src/testing/catalogue.ts'
import { startTestPostgres } from '../server/src/testing/postgres.ts'

const [commit = 'HEAD'] = process.argv.slice(2)
const root = path.resolve(import.meta.dirname, '..')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-schema-'))
const postgres = await startTestPostgres()
const admin = new Client({ connectionString: postgres.url() })
try {
  await admin.connect()
  const archive = execFileSync('git', ['archive', commit, 'server'], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  const [schema, migrations] = ['schema', 'migrations'].map((name) => path.join(folder, 'server', name))
  const there = [...migrationsIn(schema ?? ''), ...migrationsIn(migrations ?? '')]
  const [theirs, ours] = [await madeBy('theirs', there), await madeBy('ours', migrationFiles())]
  const gone = theirs.filter((line) => !ours.includes(line))
  const added = ours.filter((line) => !theirs.includes(line))
  for (const line of gone) console.log(`- ${line}`)
  for (const line of added) console.log(`+ ${line}`)
  if (gone.length + added.length > 0) process.exitCode = 1
  else console.log(`the schema is that of ${commit}: ${ours.length} lines of the catalogues are equal`)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
  await admin.end()
  await postgres.stop()
}

async function madeBy(name: string, files: ReturnType<typeof migrationFiles>): Promise<string[]> {
  const database = `test_schema_${name}_${process.pid}`
  await admin.query(`create database ${database}`)
  try {
    const began = performance.now()
    await migrate(postgres.url(database), files, [])
    console.log(`${name}: made in ${Math.round(performance.now() - began)} ms`)
    return await catalogueOf(postgres.url(database))
  } finally {
    await admin.query(`drop database ${database} with (force)`)
  }
}
