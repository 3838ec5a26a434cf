/**
 * Databases whose tables were made by migrations that are no more. The files of `server/schema/` make what the migrations up to 0276 made, without what
 * served engines of releases before. A database with all of these migrations goes on from here; one that lacks the last of them is too old.
 */
import { createHash } from 'node:crypto'

/** `before`: statements that are carried out ahead of the file, one by one and beside calls; each may be repeated after it was interrupted. */
export type Migration = { name: string; text: string; hash: string; before: readonly string[] }

/** Rows of schema_migration, by name. */
export type Applied = readonly { name: string; hash: string }[]

const foldedUpTo = '0276'
/** Of their names and hashes. */
const foldedDigest = 'c89c72198981e7085a19b81771c0da767cb96545e89277d4e0b83dd2afb0628b'
export const schemaName = `${foldedUpTo}_schema`
/** Always the same: what the files make is fixed by a test, comments may change. */
export const schemaHash = foldedDigest

const before030 = 'was made by a version of Ghanti before 0.3.0, which this one cannot'
const tooOld = `the database ${before030} upgrade: give DATABASE_URL of an empty database, or for the demo a new DATA_FOLDER (nothing was changed)`
export const tooOldBackup = `the backup ${before030} restore`

/** Made by those migrations. */
export function isBeforeSchema(applied: Applied): boolean {
  return applied.length > 0 && applied.every(({ name }) => name !== schemaName)
}

export function requireFolded(applied: Applied): void {
  const digest = createHash('sha256')
  for (const { name, hash } of applied)
    if (name.slice(0, foldedUpTo.length) <= foldedUpTo) digest.update(`${name} ${hash}\n`)
  if (digest.digest('hex') !== foldedDigest) throw new Error(tooOld)
}

/** What served releases before. */
const gone = `
  delete from schema_migration where left(name, ${foldedUpTo.length}) <= '${foldedUpTo}';
  alter table engine
    drop column if exists shares,
    drop column if exists contracts,
    drop column if exists shares_operators,
    drop column if exists shares_groups;
  alter table attempt_open drop column if exists granted;
  alter table account_channels drop column if exists in_call;
  drop function if exists calls_not_granted(int);
  drop function if exists fill_attempts(int, bigint[], smallint[]);
  drop function if exists fill_call_counts(int);
  drop function if exists fill_answer_counts(int);
  drop function if exists fill_sms_counts(int);
  drop table if exists attempt_fill, call_count_fill, answer_count_fill, sms_count_fill;
`
const changed = [
  'calls_in_progress',
  'grant_channels',
  'contract_use',
  'follow_attempts',
  'uncount_agents',
  'follow_messages',
]

/** The schema's file then only takes away what is in it no more. */
export function goingOnFrom(applied: Applied, files: readonly Migration[]): Migration[] {
  requireFolded(applied)
  return files.map((file) => (file.name === schemaName ? { ...file, text: gone + functionsOf(file.text) } : file))
}

/** The functions that changed, as the schema's files make them, in place of the ones that the database has. */
function functionsOf(schema: string): string {
  const [end, start] = ['\n$$;\n', 'create function ']
  return changed
    .map((name) => {
      const from = schema.indexOf(`\n${start}${name}(`) + 1
      return `create or replace function ${schema.slice(from + start.length, schema.indexOf(end, from) + end.length)}`
    })
    .join('\n')
}
