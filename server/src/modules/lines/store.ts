import type { Db, Tx } from '../../db/db.ts'

export type Line = { cliId: number; trunkId: number | null; dialerId: number | null; channels: number }

/**
 * The held CLI of that number, locked so that nobody takes it away, or its trunk to another dialer, before the transaction ends. Where it leads is
 * read once the lock is there: a statement that waits for one reads the other tables as they were before.
 */
export async function lockHeldCli(tx: Tx, holderId: number, number: string): Promise<Line | undefined> {
  const held = await tx
    .selectFrom('cli')
    .innerJoin('cli_holder', 'cli_holder.cli_id', 'cli.id')
    .select('cli.id')
    .where('cli.number', '=', number)
    .where('cli.deleted_at', 'is', null)
    .where('cli_holder.account_id', '=', holderId)
    .forShare(['cli', 'cli_holder'])
    .executeTakeFirst()
  if (!held) return undefined
  return tx
    .selectFrom('cli')
    .leftJoin('trunk', (on) => on.onRef('trunk.id', '=', 'cli.trunk_id').on('trunk.deleted_at', 'is', null))
    .leftJoin('dialer', (on) => on.onRef('dialer.id', '=', 'trunk.dialer_id').on('dialer.deleted_at', 'is', null))
    .select(['cli.id as cliId', 'trunk.id as trunkId', 'dialer.id as dialerId', 'cli.channels'])
    .where('cli.id', '=', held.id)
    .executeTakeFirst()
}

export type LineCaps = {
  driver: string
  cliChannels: number
  trunkChannels: number
  trunkCps: number
  dialerChannels: number
  dialerCps: number
}

/** What CLI, trunk and dialer allow at the moment: an administrator's reduction counts instead of the dialer's total. */
export function capsOf(db: Db, cliId: number): Promise<LineCaps> {
  return db
    .selectFrom('cli')
    .innerJoin('trunk', 'trunk.id', 'cli.trunk_id')
    .innerJoin('dialer', 'dialer.id', 'trunk.dialer_id')
    .select((eb) => [
      'dialer.driver',
      'cli.channels as cliChannels',
      'trunk.channels as trunkChannels',
      'trunk.cps as trunkCps',
      eb.fn.coalesce('dialer.channel_reduction', 'dialer.channels').as('dialerChannels'),
      eb.fn.coalesce('dialer.cps_reduction', 'dialer.cps').as('dialerCps'),
    ])
    .where('cli.id', '=', cliId)
    .executeTakeFirstOrThrow()
}
