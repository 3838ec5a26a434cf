import type { Found } from '@ghanti/contract/find.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { kyselyOver, openPool } from '../pool.ts'
import type { Viewer } from '../../policy.ts'
import { atEndOfFile } from '../../testing/cleanup.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { newSmsCampaign } from '../../testing/sms-campaigns.ts'
import { newCampaign } from '../../testing/campaigns.ts'
import { newReseller, newSuperAdmin, newUser } from '../../testing/seed.ts'

const app = await testApp()
/** Rows of campaigns that have nothing but what a list reads. */
const unchecked = openPool(
  {
    connectionString: app.url,
    max: 1,
    name: 'ghanti-test',
    asOwner: true,
    options: '-c session_replication_role=replica',
  },
  () => {},
)
atEndOfFile(() => unchecked.end())
const filling = kyselyOver(unchecked)
let http: FastifyInstance
let boss: Viewer
let small: Viewer
let big: Viewer
/** More than are looked at without an index. */
const many = 10_500
/** Devanagari has nothing that an index of words could look for. */
const search = 'कखग'

/** So many rows of `big`, and before and after them one of `big` and one of `small` that the search finds. */
async function between(make: (owner: Viewer, name: string) => Promise<unknown>, fill: () => Promise<unknown>) {
  for (const owner of [big, small]) await make(owner, `old ${search}`)
  await fill()
  for (const owner of [big, small]) await make(owner, `new ${search}`)
}

const minutesAgo = sql`now() - (${many}::int - n) * interval '1 second'`

beforeAll(async () => {
  http = await testHttp(app)
  boss = await newSuperAdmin(app)
  const agency = await newReseller(app)
  big = await newUser(app, { parent: agency })
  small = await newUser(app, { parent: agency })
  const rows = sql`generate_series(1, ${many}::int) n`
  await between(
    async (owner, name) => {
      const id = await newCampaign(app, owner, { name })
      const at = name.startsWith('old') ? sql<Date>`now() - interval '1 day'` : sql<Date>`now()`
      await app.db.updateTable('campaign_progress').set({ start_at: at }).where('campaign_id', '=', id).execute()
    },
    () =>
      sql`insert into campaign_progress (campaign_id, account_id, name, template_id, status, start_at)
          select 1000000 + n, ${big.userId}, 'offer ' || n, 0, 'complete', ${minutesAgo} from ${rows}`.execute(filling),
  )
  await between(
    (owner, name) => newSmsCampaign(app, owner, { name }),
    async () => {
      await sql`insert into sms_campaign_progress (campaign_id, account_id, name, template, sender, status, start_at)
          select 1000000 + n, ${big.userId}, 'offer ' || n, 0, 'ALERT', 'complete', now() from ${rows}`.execute(filling)
      await sql`select setval(pg_get_serial_sequence('sms_campaign', 'id'), 2000000)`.execute(filling)
    },
  )
  const owned = (table: string, columns: string, values: string, owner = 'account_id') =>
    between(
      ({ userId }, name) =>
        sql`insert into ${sql.table(table)} (${sql.raw(owner)}, name, ${sql.raw(columns)}) values (${userId}, ${name}, ${sql.raw(values)})`.execute(
          app.db,
        ),
      () =>
        sql`insert into ${sql.table(table)} (${sql.raw(owner)}, name, ${sql.raw(columns)})
            select ${big.userId}::int, 'offer ' || n, ${sql.raw(values)} from ${rows} order by n`.execute(app.db),
    )
  await owned(
    'prompt',
    'category, status, account_type, wav_hash, original_hash, duration_ms',
    `'welcome', 'approved', 'promotional', '', '', 1`,
    'owner_id',
  )
  await owned('sms_text', 'text', `'Buy now'`)
  await between(
    ({ userId }, name) =>
      sql`insert into audit_log (at, actor_id, actor_path, action, ip, detail)
          select case when ${name}::text like 'old%' then now() - interval '1 day' else now() end, u.id, u.path, 'base.upload', '', jsonb_build_object('name', ${name}::text)
            from users u where u.id = ${userId}`.execute(app.db),
    () =>
      sql`insert into audit_log (at, actor_id, actor_path, action, ip, detail)
          select ${minutesAgo}, u.id, u.path, 'base.upload', '', '{}' from ${rows}, users u where u.id = ${big.userId}`.execute(
        app.db,
      ),
  )
  await between(
    ({ userId }, name) =>
      sql`insert into credit_entry (account_id, action, other_id, amount_paisa, balance_paisa, at, reference, parent_id)
          select ${userId}, 'credit_add', ${agency.userId}, 1, 0, case when ${name}::text like 'old%' then now() - interval '1 day' else now() end, ${name}, ${agency.userId}`.execute(
        app.db,
      ),
    () =>
      sql`insert into credit_entry (account_id, action, other_id, amount_paisa, balance_paisa, at, parent_id)
          select ${big.userId}, 'credit_add', ${agency.userId}, n, 0, ${minutesAgo}, ${agency.userId} from ${rows}`.execute(
        app.db,
      ),
  )
  await newUser(app, { username: `old ${search}`, parent: agency })
  await sql`
    with made as (insert into account (kind) select 'ordinary' from ${rows} returning id)
    insert into users (id, role, parent_id, path, username, password_hash, name, emailid, number, company, plan_id, expires_at)
    select made.id, b.role, b.parent_id, trim_array(b.path, 1) || made.id, 'many' || made.id, '', 'Name', 'many@example.com', '9779841000000', '', b.plan_id, b.expires_at
      from made, users b where b.id = ${big.userId} order by made.id`.execute(app.db)
  await newUser(app, { username: `new ${search}`, parent: agency })
  await sql`analyze`.execute(app.db)
}, 300_000)

async function ask(viewer: Viewer, path: string, text = search, more = '') {
  const url = `${path}${path.includes('?') ? '&' : '?'}pageSize=100&search=${encodeURIComponent(text)}${more}`
  const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
  const body = reply.json<{ errors?: unknown; users?: unknown[] } & unknown[]>()
  const found = (body.users ?? body).length
  const { 'x-searched-to': searchedTo, 'x-next-after': after } = reply.headers
  return {
    status: reply.statusCode,
    found,
    isBounded: searchedTo !== undefined,
    after: String(after),
    errors: body.errors,
  }
}

const all = [
  {
    list: 'campaigns of calls',
    path: () => `/api/obd/campaign/${boss.userId}`,
    own: ({ userId }: Viewer) => `/api/obd/campaign/${userId}`,
  },
  {
    list: 'campaigns of messages',
    path: () => `/app/sms/campaigns/${boss.userId}`,
    own: ({ userId }: Viewer) => `/app/sms/campaigns/${userId}`,
  },
  {
    list: 'voice files',
    path: () => '/api/obd/prompts/list',
    own: ({ userId }: Viewer) => `/api/obd/prompts/${userId}`,
  },
  { list: 'texts', path: () => '/app/sms/texts/list', own: ({ userId }: Viewer) => `/app/sms/texts/${userId}` },
  { list: 'audit log', path: () => '/api/obd/audit', own: () => '/api/obd/audit' },
  {
    list: 'credits history',
    path: () => `/api/obd/credits/history/${boss.userId}?accounts=below`,
    own: ({ userId }: Viewer) => `/api/obd/credits/history/user/${userId}`,
  },
]

test.each(all)(
  '$list: a text that no index finds is looked for in the newest of the scope, and the reply says how far',
  async ({ path, own }) => {
    const first = await ask(boss, path())
    expect(first).toMatchObject({ status: 200, found: 2, isBounded: true })
    const next = await ask(boss, path(), search, `&after=${first.after}`)
    expect(next, 'further back by the cursor').toMatchObject({ status: 200, found: 2, isBounded: false })
    expect(await ask(big, own(big))).toMatchObject({ status: 200, found: 1, isBounded: true })
    expect(await ask(small, own(small)), 'all of a small scope').toMatchObject({
      status: 200,
      found: 2,
      isBounded: false,
    })
    for (const text of ['...', '%_%', '%%%'])
      expect(await ask(boss, path(), text)).toMatchObject({ status: 200, found: 0, isBounded: true })
  },
)

test('users: likewise, and in any order it is the newest that are looked through', async () => {
  const path = `/api/obd/user/${boss.userId}`
  for (const order of ['', '&sort=username']) {
    const first = await ask(boss, path, search, order)
    expect(first).toMatchObject({ status: 200, found: 1, isBounded: true })
    const next = await ask(boss, path, search, `${order}&after=${first.after}`)
    expect(next).toMatchObject({ status: 200, found: 1, isBounded: false })
  }
  expect(await ask(boss, path, 'many10')).toMatchObject({ status: 200, isBounded: false })
  expect(await ask(boss, path, 'many10', '&after=made-up')).toMatchObject({ status: 400 })
})

test('find looks at the newest campaigns and accounts of the scope for such a text', async () => {
  const find = async (viewer: Viewer) => {
    const url = `/api/obd/find?search=${encodeURIComponent(search)}`
    const reply = await http.inject({ url, headers: await signedIn(app, viewer) })
    const { campaigns, users } = reply.json<Found>()
    return [campaigns.map(({ campaignName }) => campaignName), users.map(({ username }) => username)]
  }
  expect(await find(small)).toEqual([[`new ${search}`, `old ${search}`], []])
  expect((await find(boss))[1]).toEqual([`new ${search}`])
})
