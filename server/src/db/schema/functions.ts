/**
 * The functions of `server/sql/`, a file for each, named as the file. `migrate` makes those whose text is another than what the database has. Two releases
 * run beside each other during an upgrade, so what a function takes or means never changes under its name: that is another function, with the next number,
 * and the old one goes a release later (docs/adr/89).
 *
 * `revisions.json` beside them counts the texts that each has had. The database keeps the revision with the hash, so that `migrate` of an older release
 * leaves newer texts alone.
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Db } from '../db.ts'
import { sqlFilesIn, type SqlFile } from './sql-files.ts'

const folder = path.resolve(import.meta.dirname, '../../../sql')

export const revisionsFile = path.join(folder, 'revisions.json')

/** Named without the file's ending. `revision`: how many texts it has had. */
export type DatabaseFunction = SqlFile & { revision: number }

type Revisions = Record<string, { revision: number; hash: string }>

/** Of each function, its newest text. `node scripts/functions.ts` writes it. */
export function storedRevisions(): Revisions {
  return JSON.parse(fs.readFileSync(revisionsFile, 'utf8'))
}

export function functionFiles(): DatabaseFunction[] {
  const stored = new Map(Object.entries(storedRevisions()))
  return sqlFilesIn(folder).map((file) => {
    const name = path.basename(file.name, '.sql')
    return { ...file, name, revision: stored.get(name)?.revision ?? 1 }
  })
}

/** All of them or none, but for those of which the database has a newer text. It has the revision and the hash of each as its comment. */
export async function makeFunctions(client: Client, functions: readonly DatabaseFunction[]): Promise<void> {
  const { rows } = await client.query<{ name: string; comment: string | null }>(
    `select proname as name, obj_description(oid, 'pg_proc') as comment from pg_proc where pronamespace = 'public'::regnamespace`,
  )
  const comments = new Map(rows.map(({ name, comment }) => [name, comment]))
  await client.query('begin')
  try {
    for (const { name, text, hash, revision } of functions) {
      const there = comments.get(name) ?? ''
      const comment = `${revision} ${hash}`
      if (there === comment || revisionOf(there) > revision) continue
      await client.query(text)
      await client.query(`comment on function ${client.escapeIdentifier(name)} is ${client.escapeLiteral(comment)}`)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** 0: none was written. */
function revisionOf(comment: string): number {
  return Number(/^(\d+) /.exec(comment)?.[1] ?? 0)
}

/** Their texts may be of another release, which means the same by them. */
export async function missingFunctions(db: Db): Promise<string[]> {
  const names = functionFiles().map(({ name }) => name)
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) name where to_regproc('public.' || name) is null`.execute(db)
  return rows.map(({ name }) => name)
}
