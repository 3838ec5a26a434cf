/**
 * The functions of `server/sql/`, a file for each, named as the file. `migrate` makes those whose text is another than what the database has. Two releases
 * run beside each other during an upgrade, so what a function takes or means never changes under its name: that is another function, with the next number,
 * and the old one goes a release later (docs/adr/89).
 */
import * as path from 'node:path'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from '../db.ts'
import { sqlFilesIn, type SqlFile } from './sql-files.ts'

const folder = path.resolve(import.meta.dirname, '../../../sql')

/** Named without the file's ending. */
export type DatabaseFunction = SqlFile

export function functionFiles(): DatabaseFunction[] {
  return sqlFilesIn(folder).map((file) => ({ ...file, name: path.basename(file.name, '.sql') }))
}

/** All of them or none. The database has the hash of each as its comment. */
export async function makeFunctions(client: Client, functions: readonly DatabaseFunction[]): Promise<void> {
  const { rows } = await client.query<{ name: string; hash: string | null }>(
    `select proname as name, obj_description(oid, 'pg_proc') as hash from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]))
  await client.query('begin')
  try {
    for (const { name, text, hash } of functions)
      if (hashes.get(name) !== hash) {
        await client.query(text)
        await client.query(`comment on function ${client.escapeIdentifier(name)} is ${client.escapeLiteral(hash)}`)
      }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** Their texts may be of another release, which means the same by them. */
export async function missingFunctions(db: Db): Promise<string[]> {
  const names = functionFiles().map(({ name }) => name)
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) name where to_regproc('public.' || name) is null`.execute(db)
  return rows.map(({ name }) => name)
}
