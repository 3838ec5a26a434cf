import { finishedStatuses } from '@ghanti/contract/campaign-status.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { bytesOfMegabyte, type Quotas, type Stored } from '@ghanti/contract/quotas.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { blockBytes, textRowBytes } from './rules.ts'

/** Serialises quota checks of the account until the transaction ends. */
export async function lock(tx: Tx, accountId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('quotas'), ${accountId})`.execute(tx)
}

/** What a campaign takes besides its rows: settings, figures, history. */
const campaignBytes = 16_384

/**
 * What each account stores (or `one` account). An unprepared campaign, or a file that no campaign was made from, counts with what will
 * become of it. A finished campaign counts the rows it never called, and itself if it called nobody: calls that were made are paid for, and
 * reports need their rows. Messages after calls count like the rows. A feed counts as nothing: its messages were paid for when they were accepted.
 */
function stored(one: number | null): RawBuilder<Stored & { account_id: number }> {
  const whose = (column: string) => (one === null ? sql`true` : sql`${sql.ref(column)} = ${one}::int`)
  return sql`
    select account_id, coalesce(sum(bytes), 0)::bigint as bytes, coalesce(sum(rows), 0)::bigint as rows, sum(campaigns)::int as campaigns,
           sum(prompts)::int as prompts, sum(blacklist)::int as blacklist, coalesce(sum(recorded), 0)::bigint as "recordingBytes"
      from (
      select owner_id as account_id, sum(greatest(size_bytes, ${blockBytes}::int)) as bytes,
             sum(least(coalesce(refused, rows - dialable), ${refusedKeptMax}::int)) as rows, 0 as campaigns, 0 as prompts, 0 as blacklist, 0 as recorded
        from base where deleted_at is null and ${whose('owner_id')} group by 1
      union all
      select owner_id, sum(greatest(size_bytes, ${blockBytes}::int)), 0, 0, count(*), 0, 0 from prompt where deleted_at is null and ${whose('owner_id')} group by 1
      union all
      select account_id, sum(stored_bytes), sum(stored_rows + text_rows), 0, 0, 0, 0 from campaign_progress where finished_at is null and ${whose('account_id')} group by 1
      union all
      select account_id, sum(stored_bytes * (stored_rows - attempts) / greatest(stored_rows, 1)) + count(*) filter (where attempts = 0) * ${campaignBytes}::int,
             sum(stored_rows - attempts + text_rows::bigint * (stored_rows - attempts) / greatest(stored_rows, 1)), 0, 0, 0, 0
        from campaign_progress where finished_at is not null and (stored_rows > attempts or attempts = 0) and ${whose('account_id')} group by 1
      union all
      select c.account_id, sum(coalesce(b.value_bytes, b.size_bytes) + b.dialable * ${textRowBytes}::int * t.has::int) filter (where d.rows_in_file is null),
             sum(least(b.rows, b.dialable + ${refusedKeptMax}::int) + b.dialable * t.has::int) filter (where d.rows_in_file is null), count(*) filter (where not c.is_test), 0, 0, 0
        from campaign c join campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id
             cross join lateral (select exists (select from call_text x where x.campaign_id = c.id) as has) t
       where c.status <> all (${[...finishedStatuses]}::campaign_status[]) and ${whose('c.account_id')} group by 1
      union all
      select account_id, sum(stored_bytes), sum(stored_rows), 0, 0, 0, 0 from sms_campaign_progress where finished_at is null and ${whose('account_id')} group by 1
      union all
      select account_id, sum(stored_bytes * (stored_rows - accepted) / greatest(stored_rows, 1)) + count(*) filter (where accepted = 0) * ${campaignBytes}::int,
             sum(stored_rows - accepted), 0, 0, 0, 0
        from sms_campaign_progress p where finished_at is not null and (stored_rows > accepted or accepted = 0) and ${whose('account_id')}
             and not exists (select from sms_campaign f where f.id = p.campaign_id and f.feed is not null) group by 1
      union all
      select c.account_id, sum(coalesce(b.value_bytes, b.size_bytes)) filter (where d.rows_in_file is null),
             sum(least(b.rows, b.dialable + ${refusedKeptMax}::int)) filter (where d.rows_in_file is null), count(*), 0, 0, 0
        from sms_campaign c join sms_campaign_detail d on d.campaign_id = c.id join base b on b.id = d.base_id
       where c.status <> all (${[...finishedStatuses]}::campaign_status[]) and ${whose('c.account_id')} group by 1
      union all
      select p.owner_id, sum(greatest(44 + w.duration_ms * 16, ${blockBytes}::int) * (w.wav_hash is not null)::int
             + greatest(44 + w.pending_ms * 16, ${blockBytes}::int) * (w.pending_hash is not null)::int), 0, 0, 0, 0, 0
        from voice_pack p join voice_pack_word w on w.pack_id = p.id where p.owner_id is not null and ${whose('p.owner_id')} group by 1
      union all
      select logo_sender, sum(greatest(logo_bytes, ${blockBytes}::int)), 0, 0, 0, 0, 0 from branding where logo_sender is not null and ${whose('logo_sender')} group by 1
      union all
      select owner_id, sum(greatest(size_bytes, ${blockBytes}::int)), 0, 0, 0, 0, 0 from sms_staged_file where ${whose('owner_id')} group by 1
      union all
      select owner_id, sum(greatest(bytes, ${blockBytes}::int)), 0, 0, 0, 0, 0 from export where file_hash is not null and ${whose('owner_id')} group by 1
      union all
      select account_id, 0, 0, 0, 0, 0, sum(greatest(size_bytes, ${blockBytes}::int)) from recording where ${whose('account_id')} group by 1
      union all
      select owner_id, 0, 0, 0, 0, numbers, 0 from blacklist_count where ${whose('owner_id')}
      union all
      select owner_id, 0, sum(least(invalid, ${refusedKeptMax}::int)), 0, 0, 0, 0 from blacklist_upload where invalid > 0 and ${whose('owner_id')} group by 1
    ) part group by account_id`
}

export async function used(db: Db, accountId: number): Promise<Stored> {
  const { rows } =
    await sql<Stored>`select bytes, rows, campaigns, prompts, blacklist, "recordingBytes" from (${stored(accountId)}) s`.execute(
      db,
    )
  return rows[0] ?? { bytes: 0, recordingBytes: 0, rows: 0, campaigns: 0, prompts: 0, blacklist: 0 }
}

type Over = { accounts: number; first: (Stored & { username: string })[] }

/** How many accounts are over these quotas, and the first `shown` by the quota that they exceed most. */
export async function over(db: Db, quotas: Quotas, shown: number): Promise<Over> {
  const { rows } = await sql<{ accounts: number; account: Over['first'][number] }>`
    select (count(*) over ())::int as accounts, jsonb_build_object('username', u.username, 'bytes', s.bytes, 'rows', s.rows, 'campaigns', s.campaigns,
           'prompts', s.prompts, 'blacklist', s.blacklist, 'recordingBytes', s."recordingBytes") as account
      from (${stored(null)}) s join users u on u.id = s.account_id and u.deleted_at is null,
           greatest(s.bytes / ${quotas.megabytes * bytesOfMegabyte}::float8, s.rows / ${quotas.rows}::float8, s.campaigns / ${quotas.campaigns}::float8,
                    s.prompts / ${quotas.prompts}::float8, s.blacklist / ${quotas.blacklist}::float8,
                    s."recordingBytes" / ${quotas.recordingMegabytes * bytesOfMegabyte}::float8) beyond
     where beyond > 1 order by beyond desc, u.username limit ${shown}`.execute(db)
  return { accounts: rows[0]?.accounts ?? 0, first: rows.map(({ account }) => account) }
}
