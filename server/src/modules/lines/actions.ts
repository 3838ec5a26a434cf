import type { Db, Tx } from '../../db/db.ts'
import { badField, conflict } from '../../errors.ts'
import * as store from './store.ts'

export type ActiveLine = { cliId: number; trunkId: number; dialerId: number; channels: number }

/** The way out that a CLI of this account decides: trunk and dialer. The account keeps it until the transaction ends. */
export async function requireCli(tx: Tx, ownerId: number, cli: string): Promise<ActiveLine> {
  const line = await store.lockHeldCli(tx, ownerId, cli)
  if (!line) throw badField('cli', 'is not a caller ID of yours')
  const { trunkId, dialerId } = line
  if (trunkId === null || dialerId === null) throw badField('cli', 'is inactive: it has no trunk', 'inactive')
  return { ...line, trunkId, dialerId }
}

/** The same of the CLI `cliId`, or where the account does not hold that one any more, or it has no trunk, of another one of its own. */
export async function requireActiveCli(tx: Tx, ownerId: number, cliId: number): Promise<ActiveLine> {
  const cli = await store.activeCliOf(tx, ownerId, cliId)
  if (cli === undefined) throw conflict('cli', 'is missing: your account has no active caller ID', 'required')
  return await requireCli(tx, ownerId, cli)
}

/** Channels and calls per second that hold now for calls from this CLI. */
export function lineCaps(db: Db, cliId: number): Promise<store.LineCaps> {
  return store.capsOf(db, cliId)
}
