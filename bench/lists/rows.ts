/** Rows of the smaller lists, as many as a platform with that many accounts may have after years. */
import type { Viewer } from '@ghanti/server/policy.ts'
import type { Pool } from 'pg'
import { fill } from './fill.ts'

type Of = { boss: Viewer; reseller: Viewer; user: Viewer; trunkId: number; dialerId: number; users: number }

const busyAccounts = `select array[$1::int, $2::int] || (select array_agg(id order by id) from users where role <> 'superAdmin') as ids`

export async function makeSmallerLists(pool: Pool, of: Of): Promise<void> {
  await makePlatform(pool, of)
  await makePrompts(pool, of)
  await makeClis(pool, of)
  await makeMessages(pool, of)
}

/** Objects of which there are dozens or hundreds. */
async function makePlatform(pool: Pool, { boss, trunkId, users }: Of): Promise<void> {
  const some = Math.ceil(users / 50)
  await fill(
    pool,
    'plan',
    `insert into plan (owner_id, name, pulse_ms, pulse_price_paisa, enabled, created_by)
     select case when n % 5 = 0 then mint when n % 5 = 1 then $1::int else ids[1 + n % cardinality(ids)] end, 'Tariff ' || md5(n::text), (array[1000, 15000, 30000, 60000])[1 + n % 4], n % 300, n % 4 > 0,
            ids[1 + n % cardinality(ids)]
       from generate_series(1, $2::int) n, (select id as mint from account where kind = 'mint') m, (select array_agg(id) as ids from users where role <> 'user') r`,
    [boss.userId, some * 10],
  )
  await pool.query(
    `insert into dialer (name, driver, host, port) select 'Machine ' || n, 'simulator', '10.0.0.' || n % 250, 5000 + n from generate_series(1, $1::int) n`,
    [Math.ceil(some / 10)],
  )
  await pool.query(
    `insert into trunk (name, pilot_number, dialer_id, channels, cps)
     select 'Operator ' || n, (14000000 + n)::text, ids[1 + n % cardinality(ids)], 30, 10 from generate_series(1, $1::int) n, (select array_agg(id) as ids from dialer) d`,
    [Math.ceil(some / 2)],
  )
  await pool.query(
    `insert into trunk_disposition (trunk_id, sip_status, disposition, sign) select $1::int, 400 + n, 'BUSY', 'good' from generate_series(1, 80) n`,
    [trunkId],
  )
  await pool.query(
    `insert into voice_pack (owner_id, name, language) select ids[1 + n % cardinality(ids)], 'Pack ' || md5(n::text), case n % 2 when 0 then 'ne' else 'en' end
       from generate_series(1, $1::int) n, (select array_agg(id) as ids from users where role <> 'superAdmin') u`,
    [some * 5],
  )
  await pool.query(
    `insert into voice_pack_word (pack_id, key, pending_hash, pending_ms)
     select id, 'digit.' || n, 'x', 500 from voice_pack, generate_series(0, 9) n where id % 3 = 0`,
  )
  await pool.query(`insert into branding (user_id, company) select id, company from users where role = 'reseller'`)
  await pool.query(
    `insert into brand_domain (hostname, user_id, confirmed_at) select 'calls' || id || '.example.com', id, case when id % 2 = 0 then now() end from users where role = 'reseller'`,
  )
  await pool.query(
    `insert into account_calling_hours (account_id, hours, reason, changed_by) select id, '{"weekdays": [1, 2, 3, 4, 5], "from": "10:00", "to": "17:00", "holidays": []}', 'Bank', $1::int
       from users where role <> 'superAdmin' order by id limit $2::int`,
    [boss.userId, some],
  )
}

/** Ten voice files for each account; one user and one reseller have a hundredth of all. */
async function makePrompts(pool: Pool, { user, reseller, users }: Of): Promise<void> {
  await fill(
    pool,
    'prompt',
    `insert into prompt (owner_id, name, category, status, account_type, wav_hash, original_hash, duration_ms, created_at)
     select case when n % 100 = 0 then $2::int when n % 100 = 1 then $1::int else ids[1 + n % cardinality(ids)] end, 'Greeting ' || md5(n::text),
            (array['welcome', 'menu', 'noinput', 'wronginput', 'thanks'])[1 + n % 5]::prompt_category,
            (case when n % 40 = 0 then 'pending' when n % 40 = 1 then 'rejected' else 'approved' end)::prompt_status, 'promotional', md5(n::text), md5('o' || n), 4000,
            now() - ($3::int - n) * (interval '300 days' / $3::int)
       from generate_series(1, $3::int) n, (${busyAccounts}) a`,
    [reseller.userId, user.userId, users * 10],
  )
}

/** A number for each account, held by it and by the reseller above; the busy accounts have a tenth of all. */
async function makeClis(pool: Pool, { boss, user, reseller, trunkId, users }: Of): Promise<void> {
  await fill(
    pool,
    'cli',
    `insert into cli (number, trunk_id, channels, pool)
     select (14100000 + n)::text, case when n % 20 > 0 then ids[1 + n % cardinality(ids)] when n % 40 > 0 then $1::int end, 1 + n % 60, case when n % 3 = 0 then 'shared' else 'dedicated' end
       from generate_series(1, $2::int) n, (select array_agg(id) as ids from trunk) t`,
    [trunkId, users],
  )
  await fill(
    pool,
    'cli_holder',
    `insert into cli_holder (cli_id, account_id, given_by)
     select cli.id, holder.id, case when holder.role = 'reseller' then $1::int else holder.parent_id end
       from cli join users mine on mine.id = case when cli.id % 10 = 0 then $3::int else (select ids[1 + cli.id % cardinality(ids)] from (${busyAccounts}) a) end
       join users holder on holder.id in (mine.id, mine.parent_id) and holder.role <> 'superAdmin'
     on conflict do nothing`.replace('array[$1::int, $2::int]', 'array[$2::int, $3::int]'),
    [boss.userId, reseller.userId, user.userId],
  )
}

async function makeMessages(pool: Pool, { boss, user, reseller, users }: Of): Promise<void> {
  const lines = users * 30
  await fill(
    pool,
    'audit_log',
    `insert into audit_log (at, actor_id, actor_path, action, target, ip, detail, owner_id, owner_path, read_hour)
     select now() - ($3::int - n) * (interval '300 days' / $3::int), actor.id, actor.path, action, 'user ' || owner.id, '10.1.2.3', jsonb_build_object('name', 'Renewal ' || md5(n::text)),
            case when n % 3 = 0 then owner.id end, case when n % 3 = 0 then owner.path end, case when n % 6 = 0 then now() - n * interval '1 hour' end
       from generate_series(1, $3::int) n cross join (${busyAccounts}) a
       cross join lateral (select (array['campaign.compose', 'campaign.stop', 'auth.login', 'user.update', 'prompt.upload', 'credit.add'])[1 + n % 6] as action) b
       join users owner on owner.id = ids[1 + n * 7 % cardinality(ids)]
       join users actor on actor.id = case when n % 10 = 0 then ids[1] when n % 10 = 1 then ids[2] when n % 10 = 2 then $4::int else owner.id end
     on conflict do nothing`,
    [reseller.userId, user.userId, lines, boss.userId],
  )
  await fill(
    pool,
    'notice',
    `insert into notice (user_id, kind, subject_id, about, reason, at, shown, read_at, mail_due)
     select case when n % 10 = 0 then $2::int when n % 10 = 1 then $1::int when n % 10 = 2 then $4::int else ids[1 + n % cardinality(ids)] end,
            (array['campaignComplete', 'campaignHeld', 'promptApproved', 'lowBalance'])[1 + n % 4]::notice_kind, n, 'Renewal ' || md5(n::text), 'Its trunk is held',
            now() - ($3::int - n) * (interval '300 days' / $3::int), true, case when n % 50 > 0 then now() end, false
       from generate_series(1, $3::int) n, (${busyAccounts}) a`,
    [reseller.userId, user.userId, lines, boss.userId],
  )
  await fill(
    pool,
    'alert',
    `insert into alert (at, kind, subject, detail, cleared_at)
     select now() - ($1::int - n) * (interval '300 days' / $1::int), case when n % 3 = 0 then 'judge: rate' else 'trunk' end, 'Operator ' || n % 100, 'Answers 503 to ' || n, case when n % 100 > 0 then now() end
       from generate_series(1, $1::int) n`,
    [users * 2],
  )
}
