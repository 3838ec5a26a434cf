import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import { refusedKeptMax } from '@ghanti/contract/contacts.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { Amounts } from './rules.ts'

/** Nothing else of the account is counted until the transaction ends: what is stored beside it is seen afterwards. */
export async function lock(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('quotas'), ${accountId})`.execute(tx)
}

/** What a file takes on the disk at least. */
const blockBytes = 4096

/**
 * A campaign that is not prepared, or a file of which none was, counts what will become of it. A finished campaign counts what it never called: calls are paid for, and
 * their rows are what reports are made of.
 */
export async function used(db: Db, accountId: number): Promise<Amounts> {
  const { rows } = await sql<Amounts>`
    with files as (
      select sum(greatest(size_bytes, ${blockBytes}::int)) as bytes, sum(least(coalesce(refused, rows - dialable), ${refusedKeptMax}::int)) as rows
        from base where owner_id = ${accountId} and deleted_at is null
    ), voices as (
      select count(*)::int as prompts, sum(greatest(size_bytes, ${blockBytes}::int)) as bytes from prompt where owner_id = ${accountId} and deleted_at is null
    ), prepared as (
      select sum(case when finished_at is null then stored_rows else greatest(0, stored_rows - attempts) end) as rows,
             sum(case when finished_at is null or stored_rows = 0 then stored_bytes
                      else stored_bytes * greatest(0, stored_rows - attempts) / stored_rows end) as bytes
        from campaign_progress where account_id = ${accountId}
    ), unfinished as (
      select count(*) filter (where not c.is_test)::int as campaigns,
             sum(least(b.rows, b.dialable + ${refusedKeptMax}::int)) filter (where d.rows_in_file is null) as rows,
             sum(coalesce(b.value_bytes, b.size_bytes)) filter (where d.rows_in_file is null) as bytes
        from campaign c join campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id
       where c.account_id = ${accountId} and c.status <> all (${[...finishedStatuses]}::campaign_status[])
    )
    select (coalesce(f.bytes, 0) + coalesce(v.bytes, 0) + coalesce(p.bytes, 0) + coalesce(u.bytes, 0))::bigint as bytes,
           (coalesce(f.rows, 0) + coalesce(p.rows, 0) + coalesce(u.rows, 0))::bigint as rows, u.campaigns, v.prompts
      from files f, voices v, prepared p, unfinished u`.execute(db)
  return rows[0] ?? { bytes: 0, rows: 0, campaigns: 0, prompts: 0 }
}
