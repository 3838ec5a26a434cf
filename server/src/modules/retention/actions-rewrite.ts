import * as path from 'node:path'
import type { App } from '../../app.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { lockFile, removeUnnamed } from '../files/actions.ts'
import { roomUncounted } from '../quotas/actions.ts'
import { withClient } from './actions-archives.ts'
import { addMember, append, readBack, rowsOf } from '../../db/archive-file.ts'
import type { Kind } from './rules.ts'
import * as store from './store-archives.ts'

type Rewriting = Pick<App, 'db' | 'files' | 'clock' | 'config' | 'databaseUrl'>

/** What replaces personal data, by column; all other columns stay as they are. */
const emptied = {
  calls: new Map([
    ['phone', '0 as phone'],
    ...['keys', 'agent', 'trail', 'recording', 'agents_counted'].map((name) => [name, `null as ${name}`] as const),
  ]),
  messages: new Map([
    ['phone', '0 as phone'],
    ['reason', 'null as reason'],
  ]),
}

export async function forgetArchived(
  app: Rewriting,
  kind: Kind,
  campaignId: number,
  signal?: AbortSignal,
): Promise<void> {
  for (const id of await store.notEmptied(app.db, kind, campaignId))
    for (let left = tries; !(await rewrite(app, kind, id, campaignId)); left--) {
      signal?.throwIfAborted()
      if (left === 1) throw new Error(`archive ${id} kept being rewritten by other processes`)
    }
}
/** Each campaign deleted meanwhile rewrites the same file once. */
const tries = 100

/**
 * Writes the new file without a lock, then replaces the old one in a short transaction. False when the old one was replaced meanwhile for
 * another campaign: the caller tries again.
 */
async function rewrite(app: Rewriting, kind: Kind, id: number, campaignId: number): Promise<boolean> {
  const { db, files, clock } = app
  const of = await store.archivedIn(db, id, campaignId)
  if (of.emptied_at !== null) return true
  const written = await withWorkFolder(app, 'archives', async (folder) => {
    const file = path.join(folder, 'archive.csv.gz')
    const agents = await writeEmptied(app, kind, of, file)
    return { agents, hash: await files.put(file, roomUncounted('archive')) }
  }).catch(async (error: unknown) => {
    if ((await store.archivedIn(db, id, campaignId)).hash === of.hash) throw error
    return null // it was replaced and deleted while being read
  })
  if (written === null) return false
  const { hash, agents } = written
  const isReplaced = await db.transaction().execute(async (tx) => {
    const now = await store.lockArchive(tx, id, campaignId)
    if (now.emptied_at !== null || now.hash !== of.hash) return false
    await lockFile(tx, hash)
    const grown = (await files.sizeOf(hash)) - of.all // throws when the file is missing: the old one stays
    await store.markEmptied(tx, { id, campaignId, hash, bytes: of.bytes + grown, grown, at: clock.now() })
    await store.forgetAgents(tx, campaignId, agents)
    return true
  })
  await removeUnnamed(app, [of.hash, hash])
  return isReplaced
}

/** Copies the file without the personal data in the rows of one campaign. Returns the agents that these rows named. */
async function writeEmptied(app: Rewriting, kind: Kind, of: store.ArchivedIn, file: string): Promise<store.AgentDay[]> {
  const { files } = app
  const end = of.start + of.bytes
  await append(file, await files.read(of.hash, { start: 0, end: of.start - 1 }))
  const columns = of.columns.split(',').map((name) => emptied[kind].get(name) ?? name)
  const agents = await withClient(app, async (client) => {
    await store.emptyCopy(client, kind)
    const table = `archived_${kind}`
    await readBack(client, await files.read(of.hash, { start: of.start, end: end - 1 }), table, of.columns)
    await addMember(file, rowsOf(client, `select ${columns.join(', ')} from ${table} order by id`))
    return await store.agentsIn(client, kind)
  })
  if (end < of.all) await append(file, await files.read(of.hash, { start: end, end: of.all - 1 }))
  return agents
}
