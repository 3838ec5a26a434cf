import * as path from 'node:path'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { DatabaseError, type Client } from 'pg'
import type { App } from '../../app.ts'
import { clientConfig } from '../../db/pool.ts'
import { DatabaseClient } from '../../db/servers/client.ts'
import { withWorkFolder } from '../../lib/work-folder.ts'
import { raiseAlert } from '../alerts/actions.ts'
import { settingOf } from '../platform/actions.ts'
import { lockFile, removeUnnamed } from '../files/actions.ts'
import { roomUncounted } from '../quotas/actions.ts'
import { addMember, headerOf, memberOf, readBack, rowsOf } from '../../db/archive-file.ts'
import * as store from './store-archives.ts'

/** The quietest hours, in Nepal time, in which old partitions are archived. */
const hours = { from: 0, to: 5 }
const tries = { times: 30, everyMs: 1000 }

type Archiving = Pick<App, 'db' | 'files' | 'clock' | 'log' | 'config' | 'databaseUrl'>

/**
 * At night, archives one partition each of calls and messages that are older than the platform keeps them: writes a file, reads it back and
 * compares, then drops the partition in the transaction that records the file. If it is killed at any moment, the partition, the file
 * or both remain. Returns how many were archived.
 */
export async function archiveOld(app: Archiving, signal?: AbortSignal): Promise<number> {
  const months = await settingOf(app.db, 'historyMonths')
  const now = app.clock.now()
  const hour = Number(nepalTimeOf(now).slice(11, 13))
  if (months === 0 || hour < hours.from || hour >= hours.to) return 0
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - months)
  return await withClient(app, async (client) => {
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(hashtext('archives')) as mine`)
    if (!rows[0]?.mine) return 0
    let gone = 0
    for (const kind of ['calls', 'messages'] as const)
      for (const partition of await store.oldPartitions(client, kind, before)) {
        if (!(await archivePartition(app, client, partition, before, signal))) continue
        gone += 1
        break
      }
    return gone
  })
}

/** A connection of its own, because it uses COPY. */
export async function withClient<T>(
  { databaseUrl }: Pick<App, 'databaseUrl'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new DatabaseClient(clientConfig({ connectionString: databaseUrl, name: 'ghanti-archive' }))
  client.on('error', () => {}) // the statement under way fails
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** False when something in it is under way, or it could not be written. */
async function archivePartition(
  app: Archiving,
  client: Client,
  partition: store.Partition,
  before: Date,
  signal?: AbortSignal,
): Promise<boolean> {
  const begunAt = app.clock.now()
  if (await store.isUnderWay(client, partition)) return false
  const contents = await store.contentsOf(client, partition)
  if (!contents.isOver || contents.lastAt >= before) return false
  return await withWorkFolder(app, 'archives', async (folder) => {
    const file = path.join(folder, `${partition.table}.csv.gz`)
    const columns = await store.columnsOf(client, partition.kind)
    const header = await addMember(file, headerOf(columns))
    const parts: store.StoredPart[] = []
    for (const part of contents.parts) {
      signal?.throwIfAborted()
      const own = `select ${columns} from ${partition.table} where campaign_id = ${part.campaignId} order by id`
      const member = await addMember(file, rowsOf(client, own))
      await store.emptyCopy(client, partition.kind)
      await readBack(client, memberOf(file, member), `archived_${partition.kind}`, columns)
      if (!(await store.isSame(client, partition, columns, part.campaignId))) {
        const detail = `the file of ${partition.table} differs from what was stored: nothing was removed`
        await raiseAlert(app.db, 'archive', partition.kind, detail)
        return false
      }
      parts.push({ ...part, ...member })
    }
    const hash = await app.files.put(file, roomUncounted('archive'))
    const bytes = await app.files.sizeOf(hash)
    const { parts: _, isOver: __, ...sums } = contents
    const at = app.clock.now()
    const archive = { ...partition, ...sums, columns, headerBytes: header.bytes, hash, bytes, begunAt, at }
    try {
      return await replace(app, archive, parts, signal)
    } finally {
      await removeUnnamed(app, [hash]) // when it could not replace the partition
    }
  })
}

/** Waits only briefly for the lock that the drop needs, so that settling calls is not delayed; therefore tries several times. */
async function replace(
  app: Archiving,
  archive: store.NewArchive,
  parts: store.StoredPart[],
  signal?: AbortSignal,
): Promise<boolean> {
  for (let left = tries.times; left > 0; left--) {
    signal?.throwIfAborted()
    try {
      await app.db.transaction().execute(async (tx) => {
        await lockFile(tx, archive.hash)
        await app.files.sizeOf(archive.hash) // throws when the file is missing: the partition stays
        await store.replacePartition(tx, archive, parts)
      })
      const { kind, no, rows, bytes } = archive
      app.log.info({ kind, no, rows, bytes }, 'a partition was archived')
      return true
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== lockNotAvailable) throw error
      await new Promise((resolve) => setTimeout(resolve, tries.everyMs))
    }
  }
  return false
}
const lockNotAvailable = '55P03'
