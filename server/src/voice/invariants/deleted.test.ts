import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPool } from '../../db/pool.ts'
import { forgetDeleted } from '../../modules/retention/actions-delete.ts'
import type { Viewer } from '../../policy.ts'
import { claimSms, expectSoundBooks, newSmsCampaign, newSmsFixtures, smsOutcome } from '../../sms/testing/fixtures.ts'
import { settleMessages } from '../../sms/settle/settle.sql.ts'
import { testApp } from '../../testing/app.ts'
import { signedIn, testHttp } from '../../testing/http.ts'
import { settleOutcomes } from '../settle/settle.sql.ts'
import { enginePoolOptions } from '../../dispatch/statement.ts'
import { claimed, newCampaign, newFixtures, outcome } from '../testing/fixtures.ts'

const app = await testApp()
const options = enginePoolOptions
const engine = openPool({ connectionString: app.loginUrl, max: 8, name: 'ghanti-engine-test', options }, () => {})
const at = { db: app.db, pool: app.pool, url: app.url, engine }
afterAll(() => engine.end())
let http: FastifyInstance
beforeAll(async () => {
  http = await testHttp(app)
})

/** Must not be found afterwards in any table or file. */
const numbers = [9779841555001, 9779841555002]
const secrets = ['9841555001', '9841555002', '9801555137', 'Sitaram']

/** Tables that keep numbers, because caps need how often a number was called today (docs/security.md). */
const kept = ['number_use', 'number_day', 'sms_number_day']

/** Where a number occurs in the database, apart from those tables, and in all files. */
async function found(): Promise<string[]> {
  const { rows: tables } = await app.pool.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1)`,
    [kept],
  )
  const places = []
  for (const { name } of tables) {
    const { rows } = await app.pool.query<{ n: number }>(
      `select count(*)::int as n from ${name} t where t::text like any ($1)`,
      [secrets.map((word) => `%${word}%`)],
    )
    if ((rows[0]?.n ?? 0) > 0) places.push(name)
  }
  for await (const hash of app.files.all()) {
    const content = await text(await app.files.read(hash))
    if (secrets.some((word) => content.includes(word))) places.push(`file ${hash}`)
  }
  return places.toSorted()
}

async function sums(): Promise<unknown> {
  const ask = async (from: string) =>
    (await app.pool.query<{ row: string }>(`select t::text as row from (${from}) t order by 1`)).rows
  return Promise.all([
    ask('select * from transfer'),
    ask('select * from credit_entry'),
    ask('select * from account'),
    ask(`select * from call_count where kind <> 'agent'`),
    ask('select * from answer_count'),
    ask('select * from sms_count'),
    ask('select * from campaign_count'),
    ask('select * from campaign_tally'),
    ask('select * from sms_campaign_count'),
    ask('select id, claimed_at, started_at, ended_at, disposition, cost_paisa, bill_ms, pulses from attempt'),
    ask('select id, claimed_at, result, segments, accepted, cost_paisa from sms_sent'),
    ask(
      'select campaign_id, attempts, answered, dtmf, pulses, cost_paisa, uploaded, processed, outcomes from campaign_progress',
    ),
    ask(
      'select campaign_id, uploaded, submitted, delivered, accepted, segments, cost_paisa from sms_campaign_progress',
    ),
  ])
}

async function post(viewer: Viewer, url: string, payload: object) {
  const reply = await http.inject({ method: 'POST', url, headers: await signedIn(app, viewer), payload })
  return { status: reply.statusCode, text: reply.json<{ errors?: { text: string }[] }>().errors?.[0]?.text }
}

const fixtures = await newFixtures(at)
const { user, line, lease } = fixtures

/** A finished campaign with two calls, columns, keys, an agent, a recording, a report, an export and pasted numbers. */
async function calledCampaign(name: string): Promise<number> {
  const id = await newCampaign(at, { user, line, phones: numbers, name })
  const calls = await claimed(at, fixtures, id, 2)
  const answered = { disposition: 'ANSWER', billMs: 9000, answeredAt: new Date(), keys: '1' } as const
  await settleOutcomes(
    engine,
    lease,
    0,
    calls.map((call) => outcome(call, { ...answered, trail: 'menu1=1 >done', agent: '9779801555137' })),
  )
  await app.db.insertInto('contact_value').values({ campaign_id: id, no: 0, vars: '{"name":"Sitaram"}' }).execute()
  await app.db
    .insertInto('campaign_refused')
    .values({ campaign_id: id, line: 9, text: 'Sitaram,12', reason: 'has too few digits' })
    .execute()
  const file = (what: string) => app.files.putBytes(Buffer.from(`${what} ${id} of Sitaram 9841555001`))
  await app.db
    .insertInto('recording')
    .values({
      id: randomUUID(),
      attempt_id: calls[0]?.id ?? 0,
      campaign_id: id,
      account_id: user.userId,
      file_hash: await file('rec'),
      duration_ms: 1,
    })
    .execute()
  await app.db
    .insertInto('recording_due')
    .values({ id: randomUUID(), attempt_id: calls[1]?.id ?? 0, campaign_id: id, dialer_id: line.dialerId })
    .execute()
  const [zip_hash, cc_hash, dtmf_hash] = [await file('zip'), await file('cc'), await file('dtmf')]
  await app.db
    .insertInto('report')
    .values({
      campaign_id: id,
      status: 'ready',
      requested_by: user.userId,
      made_at: new Date(),
      zip_hash,
      cc_hash,
      dtmf_hash,
    })
    .execute()
  await app.db
    .insertInto('export')
    .values({
      owner_id: fixtures.reseller.userId,
      kind: 'rows',
      format: 'csv',
      filter: JSON.stringify({ campaignId: id }),
      file_name: 'rows.csv',
      status: 'ready',
      asked_at: new Date(),
      file_hash: await file('export'),
      expires_at: new Date(Date.now() + 3600_000),
    })
    .execute()
  const { id: ofMany } = await app.db
    .insertInto('export')
    .values({
      owner_id: fixtures.reseller.userId,
      kind: 'calls',
      format: 'csv',
      filter: '{}',
      file_name: `all calls ${id}.csv`,
      status: 'ready',
      asked_at: new Date(),
      file_hash: await file('calls of many campaigns'),
      expires_at: new Date(Date.now() + 3600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('export_holds').values({ export_id: ofMany, campaign_id: id }).execute()
  const pasted = { pasted: true, file_hash: await file('pasted') }
  await app.db
    .updateTable('base')
    .set(pasted)
    .where('id', '=', (of) => of.selectFrom('campaign_detail').select('base_id').where('campaign_id', '=', id))
    .execute()
  const composed = JSON.stringify({ agents: [{ number: '9801555137', key: '1' }] })
  const flow = JSON.stringify({
    menus: [{ keys: [{ digit: '1', action: { type: 'agent', number: '+9779801555137' } }] }],
  })
  await app.db.updateTable('campaign_detail').set({ composed, flow }).where('campaign_id', '=', id).execute()
  await app.db.updateTable('campaign').set({ status: 'complete' }).where('id', '=', id).execute()
  return id
}

test('a campaign that is deleted leaves no number, column, key, agent, file or text; money, sums, insight and statement stay to the paisa', async () => {
  const id = await calledCampaign('Dashain offers')
  await expectSoundBooks(at)
  const before = await sums()
  expect(await found()).toEqual(expect.arrayContaining(['attempt', 'call_count']))
  expect(await post(user, '/api/obd/campaign/delete', { campaignId: id, campaignName: 'Dashain' })).toEqual({
    status: 400,
    text: 'is not the name of this campaign',
  })
  expect(
    (await post(user, '/api/obd/campaign/delete', { campaignId: id, campaignName: 'Dashain offers' })).status,
  ).toBe(200)
  await forgetDeleted(app)
  expect(await found()).toEqual([])
  const { rows: removed } = await app.pool.query(
    `select r.after_days from recording_removed r join attempt a on a.id = r.attempt_id where a.campaign_id = $1`,
    [id],
  )
  expect(removed, 'its recording, and the one that is still on the dialer').toEqual([
    { after_days: null },
    { after_days: null },
  ])
  const ofOne = await app.db
    .selectFrom('export')
    .select(['status', 'reason'])
    .where('file_name', '=', 'rows.csv')
    .execute()
  expect(ofOne).toEqual([{ status: 'failed', reason: 'is gone: its campaign was deleted' }])
  const ofMany = await app.db.selectFrom('export').selectAll().where('file_name', '=', `all calls ${id}.csv`).execute()
  expect(ofMany, 'an export of several campaigns says why its file is gone').toMatchObject([
    { status: 'failed', file_hash: null, expires_at: null, reason: expect.stringContaining('ask for it again') },
  ])
  expect(await sums()).toEqual(before)
  await expectSoundBooks(at)
  for (const url of ['/api/obd/campaign/retry', '/api/obd/report/generate', '/api/obd/campaign/delete'])
    expect(await post(user, url, { campaignId: id, campaignName: 'Dashain offers' })).toMatchObject({
      status: 409,
      text: 'was deleted',
    })
  const page = await http.inject({
    url: `/api/obd/campaign/attempts/${id}`,
    headers: await signedIn(app, fixtures.reseller),
  })
  expect(page.json()).toMatchObject([{ mobile: '(deleted)', keys: '', agent: null, cost: expect.any(Number) }, {}])
  const list = await http.inject({
    url: `/api/obd/campaign/${fixtures.reseller.userId}?archived=only`,
    headers: await signedIn(app, fixtures.reseller),
  })
  expect(list.json()).toMatchObject([{ campaignId: id, deleted: 'done' }])
  const detail = await http.inject({ url: `/api/obd/campaign/detail/${id}`, headers: await signedIn(app, user) })
  expect(detail.statusCode).toBe(200)
})

test('a deletion whose process was killed goes on where it was, batch by batch', async () => {
  const id = await calledCampaign('Killed halfway')
  await post(user, '/api/obd/campaign/delete', { campaignId: id, campaignName: 'Killed halfway' })
  const killed = AbortSignal.abort(new Error('killed'))
  await expect(forgetDeleted(app, killed)).rejects.toThrow('killed')
  const { rows } = await app.pool.query(`select forget_calls($1, 1) as n`, [id])
  expect(rows).toEqual([{ n: 1 }])
  await forgetDeleted(app)
  expect(await found()).toEqual([])
  const deletion = await app.db
    .selectFrom('campaign_deleted')
    .selectAll()
    .where('campaign_id', '=', id)
    .executeTakeFirst()
  expect(deletion?.done_at).not.toBeNull()
  await expectSoundBooks(at)
})

test('files made of the numbers during their deletion are deleted too', async () => {
  const id = await calledCampaign('Exported meanwhile')
  await post(user, '/api/obd/campaign/delete', { campaignId: id, campaignName: 'Exported meanwhile' })
  const late = await app.files.putBytes(Buffer.from('exported too late: Sitaram'))
  const owner = openPool({ connectionString: app.url, max: 1, name: 'owner', asOwner: true }, () => {})
  // An export that completes between the batches.
  await owner.query(`create function made_late() returns trigger language plpgsql as $$ begin
      insert into export (owner_id, kind, format, filter, file_name, status, asked_at, ended_at, file_hash, expires_at)
      values (${user.userId}, 'rows', 'csv', '{"campaignId": ${id}}', 'late.csv', 'ready', now(), now(), '${late}', now() + interval '1 day');
      return null; end $$;
    create trigger made_late after update of attempts_to on campaign_deleted for each row execute function made_late()`)
  await forgetDeleted(app)
  expect(await found()).toEqual([])
  await owner.query('drop trigger made_late on campaign_deleted')
  await owner.end()
})

test('the history of a campaign that was not deleted cannot be emptied, and what is under way cannot be deleted', async () => {
  const id = await newCampaign(at, { user, line, phones: [9779841555003], name: 'Under way' })
  for (const forget of ['forget_attempts', 'forget_calls'])
    await expect(app.pool.query(`select ${forget}($1, 10)`, [id])).rejects.toThrow('was not deleted')
  const [call] = await claimed(at, fixtures, id, 1)
  const ask = () => post(user, '/api/obd/campaign/delete', { campaignId: id, campaignName: 'Under way' })
  expect(await ask()).toMatchObject({ status: 409, text: 'has calls under way: delete it when they have ended' })
  if (!call) throw new Error('no call')
  await settleOutcomes(engine, lease, 0, [outcome(call, { disposition: 'BUSY' })])
  expect(await ask()).toMatchObject({ status: 409, text: expect.stringContaining('can be deleted') })
  expect(
    (await post(fixtures.reseller, '/api/obd/campaign/delete', { campaignId: id, campaignName: 'Under way' })).status,
  ).toBe(403)
})

test('messages alike: their numbers and columns go, what was sent and paid stays', async () => {
  const sms = await newSmsFixtures(at)
  const id = await newSmsCampaign(at, { user: sms.user, phones: numbers, text: 'Namaste Sitaram', name: 'Texts' })
  const { messages } = await claimSms(at, sms, id, 2)
  await settleMessages(
    engine,
    sms.lease,
    0,
    messages.map((message, n) => smsOutcome(message, { kind: 'accepted', accepted: 1, idKeys: [`k${id}-${n}`] })),
  )
  await app.db.insertInto('sms_value').values({ campaign_id: id, no: 0, vars: '{"name":"Sitaram"}' }).execute()
  await app.db.updateTable('sms_campaign').set({ status: 'complete' }).where('id', '=', id).execute()
  await expectSoundBooks(at)
  const before = await sums()
  const ask = { campaignId: id, campaignName: 'Texts' }
  expect((await post(sms.user, '/app/sms/campaign/delete', ask)).status).toBe(200)
  await forgetDeleted(app)
  expect(await found()).toEqual([])
  expect(await sums()).toEqual(before)
  await expectSoundBooks(at)
  const report = await http.inject({ url: `/app/sms/campaign/summary/${id}`, headers: await signedIn(app, sms.user) })
  expect(report.json()).toMatchObject({ deleted: 'done', smsText: '(deleted)' })
})
