import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import { containing, readPage } from '../../db/lists/list.ts'
import type { Registration, Trunk as TrunkTable } from '../../db/tables.ts'
import type { Page } from '../../http/types.ts'
import { isSeenRecently } from '../../db/seen-recently.ts'

export type Trunk = Selectable<TrunkTable> & { dialer_name: string; contract_name: string | null }

/** What the engine that holds the trunk's dialer last reported; `calls` is null when none does. */
export type TrunkState = {
  reachable: boolean | null
  registered: Registration | null
  unusable: string | null
  calls: number | null
  channels_used: number | null
  begun: number | null
  takes_cps: number | null
  recent: string | null
  last_failure: string | null
  last_failure_at: Date | null
  held_since: Date | null
  hold_reason: string | null
  next_probe_at: Date | null
}
type TrunkListed = Trunk & TrunkState & { active_clis: number }

const keys = {
  trunkId: sql.ref('trunk.id'),
  trunkName: sql`lower(trunk.name)`,
  pilotNumber: sql.ref('trunk.pilot_number'),
  dialerName: sql`lower(dialer.name)`,
  channels: sql.ref('trunk.channels'),
  cps: sql.ref('trunk.cps'),
}

function trunks(db: Db) {
  return db
    .selectFrom('trunk')
    .innerJoin('dialer', 'dialer.id', 'trunk.dialer_id')
    .selectAll('trunk')
    .leftJoin('operator_contract', 'operator_contract.id', 'trunk.contract_id')
    .select(['dialer.name as dialer_name', 'operator_contract.name as contract_name'])
    .where('trunk.deleted_at', 'is', null)
}

const isHeld = sql<boolean>`(trunk_health.held_since is not null or trunk_state.unusable is not null)`
const isIn = {
  reachable: sql<boolean>`(trunk_state.reachable and not ${isHeld})`,
  unreachable: sql<boolean>`(not trunk_state.reachable and not ${isHeld})`,
  held: isHeld,
  unknown: sql<boolean>`(trunk_state.reachable is null and not ${isHeld})`,
}
type Filter = { dialerId?: number | undefined; state?: readonly (keyof typeof isIn)[] | undefined }

export function listTrunks(db: Db, { dialerId, state }: Filter, query: ListQuery): Promise<Page<TrunkListed>> {
  let rows = trunks(db)
    .leftJoin('trunk_state', (on) =>
      on.onRef('trunk_state.trunk_id', '=', 'trunk.id').on(isSeenRecently('trunk_state.seen_at')),
    )
    .leftJoin('trunk_health', 'trunk_health.trunk_id', 'trunk.id')
    .select([
      'trunk_state.reachable',
      'trunk_state.registered',
      'trunk_state.unusable',
      'trunk_state.calls',
      'trunk_state.channels as channels_used',
      'trunk_state.begun',
      'trunk_state.takes_cps',
      'trunk_state.recent',
      'trunk_state.last_failure',
      'trunk_state.last_failure_at',
      'trunk_health.held_since',
      'trunk_health.hold_reason',
      'trunk_health.next_probe_at',
      sql<number>`(select count(*)::int from cli where cli.trunk_id = trunk.id and cli.deleted_at is null and not cli.is_group)`.as(
        'active_clis',
      ),
    ])
  if (dialerId !== undefined) rows = rows.where('trunk.dialer_id', '=', dialerId)
  if (state) rows = rows.where((where) => where.or(state.map((name) => isIn[name])))
  if (query.search) {
    const pattern = containing(query.search.toLowerCase())
    rows = rows.where(
      sql<boolean>`(lower(trunk.name) like ${pattern} or lower(dialer.name) like ${pattern} or trunk.pilot_number like ${pattern})`,
    )
  }
  return readPage(db, rows, query, { keys, id: sql.ref('trunk.id'), fallback: '-trunkId' })
}

export function findTrunk(db: Db, id: number): Promise<Trunk | undefined> {
  return trunks(db).where('trunk.id', '=', id).executeTakeFirst()
}

export async function whyUnusable(db: Db, id: number): Promise<string | null> {
  const seen = await db
    .selectFrom('trunk_state')
    .innerJoin('trunk', 'trunk.id', 'trunk_state.trunk_id')
    .innerJoin('dialer', 'dialer.id', 'trunk.dialer_id')
    .select('trunk_state.unusable')
    .where('trunk_state.trunk_id', '=', id)
    .where(isSeenRecently('trunk_state.seen_at'))
    .executeTakeFirst()
  return seen?.unusable ?? null
}

export function lockTrunk(tx: Tx, id: number): Promise<Trunk | undefined> {
  return trunks(tx).where('trunk.id', '=', id).forUpdate('trunk').executeTakeFirst()
}

export async function insertTrunk(tx: Tx, trunk: Insertable<TrunkTable>): Promise<number> {
  const { id } = await tx.insertInto('trunk').values(trunk).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateTrunk(tx: Tx, id: number, change: Updateable<TrunkTable>): Promise<void> {
  await tx.updateTable('trunk').set(change).where('id', '=', id).execute()
}

/** Locks its CLIs, so that no campaign is composed over it before the transaction ends. */
export async function lockClisOf(tx: Tx, trunkId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('cli')
    .select('number')
    .where('trunk_id', '=', trunkId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(({ number }) => number)
}

export function unfinishedOver(tx: Tx, trunkId: number): Promise<{ name: string; status: CampaignStatus }[]> {
  return tx
    .selectFrom('campaign')
    .innerJoin('campaign_detail', 'campaign_detail.campaign_id', 'campaign.id')
    .select(['campaign_detail.name', 'campaign.status'])
    .where('campaign.trunk_id', '=', trunkId)
    .where('campaign.status', 'not in', finishedStatuses)
    .orderBy('campaign.id')
    .limit(3)
    .execute()
}
