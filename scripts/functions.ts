/**
 * Counts the texts of the functions in `server/sql/`, so that an older release does not put back an older one:
 *
 *     node scripts/functions.ts        writes server/sql/revisions.json after a text was changed
 */
import * as fs from 'node:fs'
import { functionFiles, revisionsFile, storedRevisions } from '../server/src/db/schema/functions.ts'

const stored = new Map(Object.entries(storedRevisions()))
const revisions = functionFiles().map(({ name, hash, revision }) => {
  const before = stored.get(name)
  return [name, { revision: before && before.hash !== hash ? revision + 1 : revision, hash }]
})
fs.writeFileSync(revisionsFile, `${JSON.stringify(Object.fromEntries(revisions), null, 2)}\n`)
