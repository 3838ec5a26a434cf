import * as path from 'node:path'
import type { App } from '../../app.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { forgetFile, keepFile } from '../recordings/actions.ts'
import { withClient } from './actions-archives.ts'
import { addMember, append, readBack, rowsOf } from '../../db/archive-file.ts'
import type { Kind } from './rules.ts'
import * as store from './store-archives.ts'

type Rewriting = Pick<App, 'db' | 'files' | 'clock' | 'config' | 'databaseUrl'>

/** What stands in the place of what says something of people; of other columns nothing changes. */
const emptied = {
  calls: new Map([
    ['phone', '0 as phone'],
    ...['keys', 'agent', 'trail', 'recording'].map((name) => [name, `null as ${name}`] as const),
  ]),
  messages: new Map([
    ['phone', '0 as phone'],
    ['reason', 'null as reason'],
  ]),
}

/** Writes each file in which a campaign that was deleted has calls or messages anew, without their numbers. */
export async function forgetArchived(app: Rewriting, kind: Kind, campaignId: number): Promise<void> {
  for (const id of await store.notEmptied(app.db, kind, campaignId)) await rewrite(app, kind, id, campaignId)
}

async function rewrite(app: Rewriting, kind: Kind, id: number, campaignId: number): Promise<void> {
  const { db, files, clock } = app
  const ended = await db.transaction().execute(async (tx) => {
    const of = await store.lockArchive(tx, id, campaignId)
    if (of.emptied_at !== null) return null
    const end = of.start + of.bytes
    const hash = await withWorkFolder(app, 'archives', async (folder) => {
      const file = path.join(folder, 'archive.csv.gz')
      await append(file, await files.read(of.hash, { start: 0, end: of.start - 1 }))
      const columns = of.columns.split(',').map((name) => emptied[kind].get(name) ?? name)
      await withClient(app, async (client) => {
        await store.emptyCopy(client, kind)
        const table = `archived_${kind}`
        await readBack(client, await files.read(of.hash, { start: of.start, end: end - 1 }), table, of.columns)
        await addMember(file, rowsOf(client, `select ${columns.join(', ')} from ${table} order by id`))
      })
      if (end < of.all) await append(file, await files.read(of.hash, { start: end, end: of.all - 1 }))
      return files.put(file)
    })
    await keepFile(tx, files, async () => hash)
    const grown = (await files.sizeOf(hash)) - of.all
    const at = clock.now()
    await store.markEmptied(tx, { id, campaignId, hash, bytes: of.bytes + grown, grown, at })
    return of.hash
  })
  if (ended !== null) await db.transaction().execute((tx) => forgetFile(tx, files, ended, async () => {}))
}
