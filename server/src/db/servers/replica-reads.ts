import type { App } from '../../app.ts'
import type { Db } from '../db.ts'
import type { ReadFrom } from './replica.ts'

type Reading = Pick<App, 'db' | 'databaseUrl' | 'replica' | 'log'>

/** Reads what may be as old as the setting allows: lists in which nobody looks for what they did a moment ago. */
export function readBehind<T>(app: Pick<Reading, 'db' | 'replica'>, work: (db: Db) => Promise<T>): Promise<T> {
  return app.replica ? app.replica.read(work) : work(app.db)
}

/** For files that a thread makes: everything that is committed now is in them. Made again from the primary when the replica fails. */
export async function readingFiles<T>(app: Reading, make: (from: ReadFrom) => Promise<T>): Promise<T> {
  const primary = { databaseUrl: app.databaseUrl, isReplica: false }
  const from = (await app.replica?.forThread()) ?? primary
  if (!from.isReplica) return await make(from)
  try {
    return await make(from)
  } catch (error) {
    app.log.warn({ error }, 'the replica failed, so the file is made from the primary')
    return await make(primary)
  }
}
