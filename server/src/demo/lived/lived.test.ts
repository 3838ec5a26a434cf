// @module-tag exhaustive
import { nepalDayOf } from '@ghanti/contract/time.ts'
import { templates } from '@ghanti/contract/template-names.ts'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { brandOfHost } from '../../modules/branding/actions.ts'
import { statementOf } from '../../modules/credits/actions-statement.ts'
import { expectSoundBooks } from '../../sms/testing/fixtures.ts'
import type { Viewer } from '../../policy.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { makeDemo } from '../demo.ts'

/** Of an embedded database, whose URL is the owner's. */
let app: TestApp
beforeAll(async () => {
  const asLogin = await testApp()
  app = { ...asLogin, databaseUrl: asLogin.url }
  await makeDemo(app)
}, 600_000)

const people = async (): Promise<Viewer[]> =>
  app.db
    .selectFrom('users')
    .select(['id as userId', 'username', 'role', 'parent_id as parentId'])
    .orderBy('id')
    .execute()

test('the books of the demo’s 90 days hold: invariants, insight, reports and exports agree to the paisa', async () => {
  await expectSoundBooks({ ...app, engine: app.pool })
})

test('each month’s statement begins where the month before ended, and the last one ends with what the account owns', async () => {
  const months = new Set(
    Array.from({ length: 91 }, (_, n) => nepalDayOf(new Date(Date.now() - (90 - n) * 86_400_000)).slice(0, 7)),
  )
  for (const viewer of await people()) {
    if (viewer.role === 'superAdmin') continue
    let closing = 0
    for (const month of months) {
      const statement = await statementOf(app.db, viewer, viewer.userId, month)
      expect(`${viewer.username} ${month} ${statement.opening}`).toBe(`${viewer.username} ${month} ${closing}`)
      closing = statement.closing
    }
  }
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select distinct on (e.account_id) e.balance_paisa, a.balance_paisa as owned, min(e.balance_paisa) over (partition by e.account_id) as least, a.kind
        from credit_entry e join account a on a.id = e.account_id order by e.account_id, e.at desc, e.id desc) last
     where balance_paisa <> owned or least < 0 and kind <> 'mint'`.execute(app.db)
  expect(rows).toEqual([{ n: 0 }])
})

test('campaigns of every template have ended; one is under way, one scheduled, one held with its reason, one repeats', async () => {
  const campaigns = await app.db
    .selectFrom('campaign_progress')
    .select(['name', 'template_id', 'status', 'reason'])
    .execute()
  const ended = campaigns.filter(({ status }) => status === 'complete')
  expect([...new Set(ended.map((one) => one.template_id))].toSorted()).toEqual(templates.map(({ id }) => id))
  for (const status of ['running', 'processing', 'onHold'] as const)
    expect(campaigns.flatMap((one) => (one.status === status ? [one.name] : []))).toHaveLength(1)
  expect(campaigns.find(({ status }) => status === 'onHold')?.reason).toContain('price in the recording')
  expect(await app.db.selectFrom('repeating').select('state').execute()).toEqual([{ state: 'active' }])
})

test('no call or message is of the future, and congestion is a few per cent', async () => {
  const { rows } = await sql<{ future: number; congested: number }>`
    select count(*) filter (where settled_at > now())::int as future,
           100.0 * count(*) filter (where disposition = 'CONGESTION') / count(*) as congested from attempt`.execute(
    app.db,
  )
  expect(rows[0]?.future).toBe(0)
  expect(rows[0]?.congested).toBeGreaterThan(0.5)
  expect(rows[0]?.congested).toBeLessThan(4)
  const { rows: sent } = await sql`select 1 from sms_sent where settled_at > now()`.execute(app.db)
  expect(sent).toEqual([])
})

test('every user can compose at once: plan, credits, caller ID, approved voice file and contact file', async () => {
  const { rows } = await sql<{ username: string; can: boolean }>`
    select u.username, u.plan_id is not null and a.balance_paisa > 100000
        and exists (select from cli_holder h where h.account_id = u.id)
        and exists (select from prompt p where p.owner_id = u.id and p.status = 'approved')
        and exists (select from base b where b.owner_id = u.id) as can
      from users u join account a on a.id = u.id where u.role = 'user' order by 1`.execute(app.db)
  expect(rows.map(({ username, can }) => `${username} ${can}`)).toEqual(['client true', 'user true', 'user2 true'])
})

test('something waits: prompts and a sender ID for approval, an alert, unread notices and messages that people wrote back', async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from prompt where status = 'pending')::int as prompts,
           (select count(*) from sms_sender where status = 'pending')::int as senders,
           (select count(*) from alert where cleared_at is null)::int as alerts,
           (select count(distinct from_number) from sms_inbox)::int as replies,
           (select count(*) from notice where read_at is null)::int as unread`.execute(app.db)
  expect(rows[0]).toMatchObject({ prompts: 2, senders: 1, alerts: 1, replies: 6 })
  expect(rows[0]?.['unread']).toBeGreaterThan(0)
})

test('decisions are as old as what was decided, and a user has what is used again: a set-up and a text', async () => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from notice where kind = 'promptApproved' and at > now() - interval '80 days')::int as late_notices,
           (select count(*) from sms_sender where status = 'approved' and decided_at > now() - interval '80 days')::int as late_senders,
           (select count(*) from setup s join users u on u.id = s.account_id where u.username = 'user')::int as setups,
           (select count(*) from sms_text t join users u on u.id = t.account_id where u.username = 'user')::int as texts`.execute(
    app.db,
  )
  expect(rows).toEqual([{ late_notices: 0, late_senders: 0, setups: 1, texts: 1 }])
})

test('a name below localhost shows the brand for which it was confirmed', async () => {
  expect(await brandOfHost(app, 'annapurna.localhost')).toMatchObject({ company: 'Annapurna Media' })
  expect(await brandOfHost(app, 'localhost')).toMatchObject({ company: 'Sagarmatha Voice' })
})
