import { finishedStatuses, type CampaignStatus } from '@ghanti/contract/campaign-status.ts'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/db.ts'
import type { Cli as CliTable } from '../../db/tables.ts'

export type Cli = Selectable<CliTable>

/**
 * Whoever changes a CLI or its holders locks it first, and compose locks it for share (`lockHeldCli`), so what is read afterwards stays
 * true.
 */
export function lockClis(tx: Tx, ids: readonly number[]): Promise<Cli[]> {
  return tx
    .selectFrom('cli')
    .selectAll()
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export function lockNumbers(tx: Tx, numbers: readonly string[]): Promise<Cli[]> {
  return tx
    .selectFrom('cli')
    .selectAll()
    .where(sql<boolean>`number = any (${numbers}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Trunks by name without regard to case, each named once. They cannot be deleted before the transaction ends. Lock them before any CLI. */
export async function holdTrunks(tx: Tx, names: readonly string[]): Promise<Map<string, { id: number; name: string }>> {
  const rows = await tx
    .selectFrom('trunk')
    .select(['id', 'name'])
    .where(sql<boolean>`lower(name) = any (${names.map((name) => name.toLowerCase())}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(rows.map((row) => [row.name.toLowerCase(), row]))
}

export function trunkOf(tx: Tx, cliId: number): Promise<{ id: number; name: string } | undefined> {
  return tx
    .selectFrom('cli')
    .innerJoin('trunk', 'trunk.id', 'cli.trunk_id')
    .select(['trunk.id', 'trunk.name'])
    .where('cli.id', '=', cliId)
    .where('cli.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Undefined when the number exists already. */
export async function insertCli(tx: Tx, cli: Insertable<CliTable>): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('cli')
    .values(cli)
    .onConflict((conflict) => conflict.column('number').where('deleted_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

export type NewCli = { number: string; trunkId: number | null; channels: number }

export async function insertClis(tx: Tx, pool: string, clis: readonly NewCli[]): Promise<Set<string>> {
  const { rows } = await sql<{ number: string }>`
    insert into cli (number, trunk_id, channels, pool)
    select number, trunk_id, channels, ${pool} from unnest(
      ${clis.map(({ number }) => number)}::text[], ${clis.map(({ trunkId }) => trunkId)}::int[], ${clis.map(({ channels }) => channels)}::int[]
    ) as line (number, trunk_id, channels)
    on conflict (number) where deleted_at is null do nothing returning number`.execute(tx)
  return new Set(rows.map(({ number }) => number))
}

export type Moved = { id: number; trunkId: number; channels: number }

export async function moveClis(tx: Tx, clis: readonly Moved[]): Promise<void> {
  await sql`
    update cli set trunk_id = line.trunk_id, channels = line.channels from unnest(
      ${clis.map(({ id }) => id)}::int[], ${clis.map(({ trunkId }) => trunkId)}::int[], ${clis.map(({ channels }) => channels)}::int[]
    ) as line (id, trunk_id, channels) where cli.id = line.id`.execute(tx)
}

export async function updateCli(tx: Tx, id: number, change: Updateable<CliTable>): Promise<void> {
  await tx.updateTable('cli').set(change).where('id', '=', id).execute()
}

export type Using = { cliId: number; name: string; status: CampaignStatus }

/** The first few campaigns that may still call from these CLIs, of some accounts or of all. */
export function unfinishedFrom(tx: Tx, cliIds: readonly number[], accountIds?: readonly number[]): Promise<Using[]> {
  let campaigns = tx
    .selectFrom('campaign')
    .innerJoin('campaign_detail', 'campaign_detail.campaign_id', 'campaign.id')
    .select(['campaign.cli_id as cliId', 'campaign_detail.name', 'campaign.status'])
    .where(sql<boolean>`campaign.cli_id = any (${cliIds}::int[])`)
    .where('campaign.status', 'not in', finishedStatuses)
    .orderBy('campaign.id')
  if (accountIds) campaigns = campaigns.where(sql<boolean>`campaign.account_id = any (${accountIds}::int[])`)
  return campaigns.execute()
}

export type Holding = {
  id: number
  cliId: number
  accountId: number
  username: string
  givenBy: number
  ofPlatform: boolean
}

export function holdingsOf(db: Db, cliIds: readonly number[]): Promise<Holding[]> {
  return holdings(db)
    .where(sql<boolean>`held.cli_id = any (${cliIds}::int[])`)
    .execute()
}

export function holdingsById(db: Db, ids: readonly number[]): Promise<Holding[]> {
  return holdings(db)
    .where(sql<boolean>`held.id = any (${ids}::int[])`)
    .execute()
}

function holdings(db: Db) {
  return db
    .selectFrom('cli_holder as held')
    .innerJoin('users as holder', 'holder.id', 'held.account_id')
    .innerJoin('users as giver', 'giver.id', 'held.given_by')
    .select([
      'held.id',
      'held.cli_id as cliId',
      'held.account_id as accountId',
      'holder.username',
      'held.given_by as givenBy',
      sql<boolean>`giver.role = 'superAdmin'`.as('ofPlatform'),
    ])
    .orderBy('held.id')
}

export async function insertHoldings(
  tx: Tx,
  holdings: readonly { cliId: number; accountId: number; givenBy: number }[],
): Promise<void> {
  const rows = holdings.map(({ cliId, accountId, givenBy }) => ({
    cli_id: cliId,
    account_id: accountId,
    given_by: givenBy,
  }))
  await tx.insertInto('cli_holder').values(rows).execute()
}

export async function deleteHoldings(tx: Tx, cliId: number, accountIds: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('cli_holder')
    .where('cli_id', '=', cliId)
    .where(sql<boolean>`account_id = any (${accountIds}::int[])`)
    .execute()
}

/** Existing accounts, locked until the transaction ends; for a reseller, direct children. */
export async function holdTakers(
  tx: Tx,
  ids: readonly number[],
  parentId: number | null,
): Promise<Map<number, string>> {
  let people = tx
    .selectFrom('users')
    .select(['id', 'username'])
    .where(sql<boolean>`id = any (${ids}::int[])`)
    .where('deleted_at', 'is', null)
    .where('role', '<>', 'superAdmin')
    .orderBy('id')
    .forShare()
  if (parentId !== null) people = people.where('parent_id', '=', parentId)
  return new Map((await people.execute()).map(({ id, username }) => [id, username]))
}

export async function clisHeldBy(tx: Tx, accountId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('cli_holder')
    .select('cli_id')
    .where('account_id', '=', accountId)
    .orderBy('cli_id')
    .execute()
  return rows.map(({ cli_id }) => cli_id)
}
