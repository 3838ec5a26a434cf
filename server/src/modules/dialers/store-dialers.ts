import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import { isSeenRecently } from '../../db/seen-recently.ts'
import type { Dialer as DialerTable } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'

export type Dialer = Selectable<DialerTable>

/** What the engine that holds the dialer last reported; all null when none does or it has been silent for long. */
export type DialerState = {
  reachable: boolean | null
  comes_back: boolean | null
  reason: string | null
  since: Date | null
  channels_used: number | null
  begun: number | null
  round_trip_ms: number | null
  last_failure: string | null
  last_failure_at: Date | null
  engine_name: string | null
}
type OpenCalls = { calls: number; campaigns: number; accounts: number }
export type DialerNow = Dialer & DialerState & OpenCalls & { active_clis: number }

const keys = {
  dialerId: sql.ref('dialer.id'),
  dialerName: sql`lower(dialer.name)`,
  dialerIP: sql.ref('dialer.host'),
  dialerPort: sql.ref('dialer.port'),
  totalChannels: sql.ref('dialer.channels'),
  cps: sql.ref('dialer.cps'),
}

const isIn = {
  reachable: sql<boolean>`(dialer_state.reachable and dialer.given_up_at is null)`,
  unreachable: sql<boolean>`(not dialer_state.reachable and dialer.given_up_at is null)`,
  unknown: sql<boolean>`(dialer_state.reachable is null and dialer.given_up_at is null)`,
  givenUp: sql<boolean>`dialer.given_up_at is not null`,
}

export function listDialers(
  db: Db,
  states: readonly (keyof typeof isIn)[] | undefined,
  query: ListQuery,
): Promise<Page<DialerNow>> {
  let rows = dialersNow(db)
  if (states) rows = rows.where((where) => where.or(states.map((state) => isIn[state])))
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(sql<boolean>`(lower(dialer.name) like ${pattern} or dialer.host like ${pattern})`)
  }
  return readPage(db, rows, query, { keys, id: sql.ref('dialer.id'), fallback: '-dialerId' })
}

function dialersNow(db: Db) {
  return db
    .selectFrom('dialer')
    .leftJoin('dialer_state', (on) =>
      on.onRef('dialer_state.dialer_id', '=', 'dialer.id').on(isSeenRecently('dialer_state.seen_at')),
    )
    .leftJoin(openCalls.as('open'), 'open.dialer_id', 'dialer.id')
    .selectAll('dialer')
    .select([
      'dialer_state.reachable',
      'dialer_state.comes_back',
      'dialer_state.reason',
      'dialer_state.since',
      'dialer_state.channels as channels_used',
      'dialer_state.begun',
      'dialer_state.round_trip_ms',
      'dialer_state.last_failure',
      'dialer_state.last_failure_at',
      sql<
        string | null
      >`(select name from engine e join dialer_lease l on l.liveness = e.liveness where l.dialer_id = dialer.id and l.expires_at > now())`.as(
        'engine_name',
      ),
      sql<number>`(select count(*)::int from cli join trunk t on t.id = cli.trunk_id
        where t.dialer_id = dialer.id and t.deleted_at is null and cli.deleted_at is null)`.as('active_clis'),
      sql<number>`coalesce(open.calls, 0)`.as('calls'),
      sql<number>`coalesce(open.campaigns, 0)`.as('campaigns'),
      sql<number>`coalesce(open.accounts, 0)`.as('accounts'),
    ])
    .where('dialer.deleted_at', 'is', null)
}

export function findDialerNow(db: Db, id: number): Promise<DialerNow | undefined> {
  return dialersNow(db).where('dialer.id', '=', id).executeTakeFirst()
}

/** One scan for all dialers: an index of calls by dialer would cost every call a write. */
const openCalls = sql<{ dialer_id: number } & OpenCalls>`(select dialer_id, count(*)::int as calls,
  count(distinct campaign_id)::int as campaigns, count(distinct account_id)::int as accounts from attempt_open group by dialer_id)`

export function dialerChoices(db: Db): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('dialer')
    .select(['id', 'name'])
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .execute()
}

export function findDialer(db: Db, id: number): Promise<Dialer | undefined> {
  return db.selectFrom('dialer').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/**
 * Until the transaction ends, nobody changes the dialer or adds a trunk, and no engine claims or ends a call on it. Locks the lease first,
 * like every statement of the engine that writes to the dialer, so that they cannot deadlock.
 */
export async function lockDialer(tx: Tx, id: number): Promise<Dialer | undefined> {
  await tx.selectFrom('dialer_lease').select('epoch').where('dialer_id', '=', id).forUpdate().execute()
  return tx
    .selectFrom('dialer')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export function holdDialer(tx: Tx, id: number): Promise<Pick<Dialer, 'id' | 'name'> | undefined> {
  return tx
    .selectFrom('dialer')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** Another dialer at the same address: two clients of one machine would compete for it. */
export function dialerAt(
  tx: Tx,
  at: { driver: string; host: string; port: number; except: number | null },
): Promise<{ name: string } | undefined> {
  return tx
    .selectFrom('dialer')
    .select('name')
    .where('deleted_at', 'is', null)
    .where('driver', '=', at.driver)
    .where(sql<boolean>`lower(host) = lower(${at.host})`)
    .where('port', '=', at.port)
    .where('id', 'is distinct from', at.except)
    .executeTakeFirst()
}

export type NewDialer = Omit<Updateable<DialerTable>, 'id' | 'created_at' | 'deleted_at'> &
  Pick<Dialer, 'name' | 'driver' | 'host' | 'port'>

export async function insertDialer(tx: Tx, dialer: NewDialer): Promise<number> {
  const { id } = await tx.insertInto('dialer').values(dialer).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateDialer(tx: Tx, id: number, change: Updateable<DialerTable>): Promise<void> {
  await tx.updateTable('dialer').set(change).where('id', '=', id).execute()
}

/** The count is stable while the dialer is locked (`lockDialer`). */
export async function openCallsOf(tx: Tx, dialerId: number): Promise<OpenCalls> {
  const { rows } = await sql<OpenCalls>`
    select count(*)::int as calls, count(distinct campaign_id)::int as campaigns, count(distinct account_id)::int as accounts
    from attempt_open where dialer_id = ${dialerId}`.execute(tx)
  return rows[0] ?? { calls: 0, campaigns: 0, accounts: 0 }
}

/**
 * Fences off the engine that holds the lease: it can write nothing more and gives up the lease within seconds. The next engine connects with the new
 * settings and adopts the calls. The lease's time stays, because calls already claimed may still be on their way, and another engine must
 * wait for them.
 */
export async function endLease(tx: Tx, dialerId: number): Promise<void> {
  await sql`update dialer_lease set epoch = epoch + 1 where dialer_id = ${dialerId}`.execute(tx)
}

export async function trunkNamesOf(tx: Tx, dialerId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('trunk')
    .select('name')
    .where('dialer_id', '=', dialerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}
