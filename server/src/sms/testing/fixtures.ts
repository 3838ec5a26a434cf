import { sql } from 'kysely'
import type { Tx } from '../../db/db.ts'
import type { CampaignStatus } from '../../db/tables.ts'
import { faultsOf } from '../../dispatch/faults.ts'
import type { Queryable } from '../../dispatch/statement.ts'
import { expectSoundBooks as expectSoundAccounts, type EngineDb } from '../../voice/testing/fixtures.ts'
import { messageFileFaults } from '../../modules/exports/testing.ts'
import type { Viewer } from '../../policy.ts'
import { newReseller, newUser } from '../../testing/seed.ts'
import { claim, type SmsClaim, type SmsClaimRequest, type SmsNumberCaps } from '../model/claim.sql.ts'
import type { SmsOutcome } from '../settle/settle.sql.ts'
import { checkMessageInvariants, checkMessageInvariantsSince } from '../invariants/invariants.sql.ts'
import { takeover, type SmsLease } from '../model/lease.sql.ts'

export type SmsFixtures = {
  lease: SmsLease
  coordinator: SmsLease
  gatewayId: number
  users: Viewer[]
  user: Viewer
  reseller: Viewer
  top: Viewer
}

/** Per segment the user pays 150 paisa, the reseller 120, the top reseller 100. */
const threePrices = [150, 120, 100]

/** A top reseller, a reseller and users; one simulated gateway with our lease, and a route through it for everybody. */
export async function newSmsFixtures(
  at: EngineDb,
  of: { users?: number; rupees?: number; leased?: boolean } = {},
): Promise<SmsFixtures> {
  const top = await newReseller(at)
  const reseller = await newReseller(at, { parent: top })
  const users: Viewer[] = []
  while (users.length < (of.users ?? 1))
    users.push(await newUser(at, { parent: reseller, rupees: of.rupees ?? 100_000 }))
  const gatewayId = await newGateway(at)
  const taken = async (id: number): Promise<SmsLease> => {
    const known = await at.db.selectFrom('sms_lease').select('epoch').where('gateway_id', '=', id).executeTakeFirst()
    if (known) return { gatewayId: id, engineId: 'test', epoch: known.epoch }
    const lease =
      of.leased === false
        ? { gatewayId: id, engineId: 'nobody', epoch: 0 }
        : await takeover(at.engine, id, 'test', 600_000)
    if (!lease) throw new Error('no lease')
    return lease
  }
  const [user] = users
  if (!user) throw new Error('no user')
  return { lease: await taken(gatewayId), coordinator: await taken(0), gatewayId, users, user, reseller, top }
}

let serial = 0

/** A simulated gateway; the first one is routed for every operator. */
export async function newGateway(
  { db }: Pick<EngineDb, 'db'>,
  of: { window?: number; tps?: number; fault?: string | null; routed?: boolean } = {},
): Promise<number> {
  const settings = { window: of.window ?? 1000, tps: of.tps ?? 1000, fault: of.fault ?? null }
  const { id } = await db
    .insertInto('sms_gateway')
    .values({ name: `Gateway ${++serial}`, driver: 'simulator', settings: JSON.stringify(settings) })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (of.routed === false || (await db.selectFrom('sms_route').select('id').executeTakeFirst())) return id
  await newRoute({ db }, [{ gatewayId: id }])
  return id
}

export async function newRoute(
  { db }: Pick<EngineDb, 'db'>,
  steps: readonly { gatewayId: number; priority?: number; weight?: number }[],
  operators: readonly number[] = [0, 1, 2, 3],
): Promise<void> {
  const route = await db
    .insertInto('sms_route')
    .values({ operators: [...operators] })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { gatewayId, priority = 1, weight = 1 } of steps)
    await db
      .insertInto('sms_route_step')
      .values({ route_id: route.id, gateway_id: gatewayId, priority, weight })
      .execute()
}

export type NewSmsCampaign = {
  user: Viewer
  /** E.164 without the plus. */
  phones: readonly number[]
  segments?: number
  prices?: readonly number[]
  status?: CampaignStatus
  text?: string
  name?: string
  sendUntil?: Date
  /** A person chose `sendUntil`. */
  notAfter?: boolean
  operatorOf?: (phone: number) => number
}

/** As after compose and preparation: prices frozen, rows numbered by operator, ready to send. */
export async function newSmsCampaign(at: Pick<EngineDb, 'db'>, of: NewSmsCampaign): Promise<number> {
  return at.db.transaction().execute(async (tx) => {
    const id = await insertCampaign(tx, of)
    const operatorOf = of.operatorOf ?? (() => 1)
    const rows = of.phones
      .map((phone) => ({ phone, operator: operatorOf(phone) }))
      .toSorted((a, b) => a.operator - b.operator)
    await sql`insert into sms_message (campaign_id, no, line, phone, operator, segments)
      select ${id}, t.no - 1, t.no, t.phone, t.operator, ${of.segments ?? 1}
      from unnest(${rows.map((row) => row.phone)}::bigint[], ${rows.map((row) => row.operator)}::smallint[]) with ordinality as t (phone, operator, no)`.execute(
      tx,
    )
    await sql`insert into sms_stream (campaign_id, operator, fresh_next, fresh_end)
      select ${id}, operator, min(no), max(no) + 1 from sms_message where campaign_id = ${id} group by operator`.execute(
      tx,
    )
    await sql`with recursive chain as (
        select 0 as level, id, parent_id from account where id = ${of.user.userId}
        union all select c.level + 1, a.id, a.parent_id from chain c join account a on a.id = c.parent_id where a.parent_id is not null
      )
      insert into sms_campaign_level (campaign_id, level, payer_id, payee_id, segment_paisa)
      select ${id}, level, id, parent_id, (${[...(of.prices ?? threePrices)]}::bigint[])[level + 1] from chain`.execute(
      tx,
    )
    return id
  })
}

async function insertCampaign(tx: Tx, of: NewSmsCampaign): Promise<number> {
  const name = of.name ?? `Messages ${++serial}`
  const base = await tx
    .insertInto('base')
    .values({
      owner_id: of.user.userId,
      name: `Base of ${name}`,
      file_hash: 'none',
      size_bytes: 1,
      rows: of.phones.length,
      dialable: of.phones.length,
      columns: [],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await tx
    .insertInto('sms_campaign')
    .values({
      account_id: of.user.userId,
      status: of.status ?? 'running',
      start_at: new Date(Date.now() - 1000),
      send_until: of.sendUntil ?? new Date(Date.now() + 7 * 24 * 3600_000),
      not_after: of.notAfter ?? false,
      sender: 'GHANTI',
      price_paisa: (of.prices ?? threePrices)[0] ?? 0,
      uploaded: of.phones.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('sms_campaign_detail')
    .values({
      campaign_id: id,
      name,
      template: 0,
      text: of.text ?? 'Namaste',
      base_id: base.id,
      composed: '{}',
      rows_in_file: of.phones.length,
    })
    .execute()
  await sql`insert into sms_campaign_progress (campaign_id, account_id, name, template, sender, status, start_at, uploaded, pending, fresh)
    select id, account_id, ${name}, 0, sender, status, start_at, uploaded, uploaded, uploaded from sms_campaign where id = ${id}`.execute(
    tx,
  )
  await tx.insertInto('sms_campaign_count').values({ campaign_id: id, slot: 0, fresh: of.phones.length }).execute()
  return id
}

const noSmsCaps: SmsNumberCaps = { account: 1_000_000, platform: 1_000_000 }

export async function claimSms(
  at: { engine: Queryable },
  fixtures: SmsFixtures,
  campaignId: number,
  wanted: number,
  more: Partial<SmsClaimRequest> & { lease?: SmsLease } = {},
): Promise<SmsClaim> {
  const { rows } = await at.engine.query<{ payers: number[]; mint: number }>(
    `select array_agg(payer_id order by level) as payers, (select id from account where kind = 'mint') as mint from sms_campaign_level where campaign_id = $1`,
    [campaignId],
  )
  const { payers, mint } = rows[0] ?? { payers: [], mint: 0 }
  const { lease = fixtures.lease, ...others } = more
  return claim(at.engine, lease, {
    campaignId,
    operator: 1,
    wanted,
    slot: lease.gatewayId,
    payerIds: payers,
    blacklistOwnerIds: [...payers, mint],
    caps: noSmsCaps,
    ...others,
  })
}

export function smsOutcome(
  message: { id: number },
  ending: Partial<SmsOutcome> & Pick<SmsOutcome, 'kind'>,
): SmsOutcome {
  return {
    accepted: 0,
    retryInMs: 0,
    isFault: false,
    answered: false,
    code: null,
    reason: null,
    idKeys: [],
    ...ending,
    smsId: message.id,
  }
}

/** Throws naming the violated invariants of accounts and messages, and the files and summaries of messages that say anything else. */
export async function expectSoundBooks(at: EngineDb): Promise<void> {
  await expectSoundAccounts(at)
  const { counts } = await checkMessageInvariantsSince(at.engine, 0)
  const faults = [
    ...faultsOf(await checkMessageInvariants(at.engine)),
    ...faultsOf(counts),
    ...(await messageFileFaults(at.db)),
  ]
  if (faults.length > 0) throw new Error(`the books of messages are wrong: ${faults.join(', ')}`)
}

/** A campaign's counters that are not zero. */
export async function smsCounts({ pool }: Pick<EngineDb, 'pool'>, campaignId: number): Promise<Record<string, number>> {
  const columns = [
    'fresh',
    'waiting',
    'in_flight',
    'submitted',
    'delivered',
    'failed',
    'expired',
    'unknown',
    'dnd',
    'unreachable',
    'accepted',
    'segments',
    'cost_paisa',
  ]
  const { rows } = await pool.query<Record<string, number>>(
    `select ${columns.map((column) => `sum(${column})::int as ${column}`).join(', ')} from sms_campaign_count where campaign_id = $1`,
    [campaignId],
  )
  return Object.fromEntries(Object.entries(rows[0] ?? {}).filter(([, n]) => n !== 0))
}

export async function money(
  { db }: Pick<EngineDb, 'db'>,
  accountId: number,
): Promise<{ owned: number; reserved: number }> {
  const { rows } = await sql<{ owned: number; reserved: number }>`
    select (a.balance_paisa + coalesce((select sum(paisa) from account_income i where i.account_id = a.id), 0))::int as owned, a.reserved_paisa::int as reserved
      from account a where a.id = ${accountId}`.execute(db)
  return rows[0] ?? { owned: 0, reserved: 0 }
}
