import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Why what is committed now might not survive the primary; null: a standby has it before the commit is answered (docs/adr/56). */
export async function standbyFault(db: Db): Promise<string | null> {
  const { rows } = await sql<{ names: string; level: string }>`
    select current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as level`.execute(
    db,
  )
  const [{ names, level } = { names: '', level: '' }] = rows
  if (names.trim() === '') return 'synchronous_standby_names is empty: commits wait for no standby'
  if (level === 'off' || level === 'local') return `synchronous_commit is ${level}: commits wait for no standby`
  return null
}
