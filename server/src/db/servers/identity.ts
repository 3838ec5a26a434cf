import type { ClientBase } from 'pg'

export type Identity = {
  /** Of the cluster; its standbys have the same. */
  system: string
  /** Grows by one with each promotion. Null: a standby, or none that accepts writes. */
  timeline: number | null
}

/** The name of the WAL file, since PostgreSQL's control file shows a new timeline only after the next checkpoint. */
const question = `select system_identifier::text as system,
  case when current_setting('transaction_read_only') = 'off' and not pg_is_in_recovery()
    then substring(pg_walfile_name(pg_current_wal_lsn()) for 8) end as timeline
  from pg_control_system()`

export async function identityOf(client: Pick<ClientBase, 'query'>): Promise<Identity> {
  const { rows } = await client.query<{ system: string; timeline: string | null }>(question)
  const [{ system, timeline } = { system: '', timeline: null }] = rows
  return { system, timeline: timeline === null ? null : Number.parseInt(timeline, 16) }
}
