import type { Db, Tx } from '../../db/db.ts'
import { badField, conflict } from '../../errors.ts'
import { requireShowable } from '../shown-clis/actions.ts'
import * as store from './store.ts'

export type ActiveLine = { cliId: number; trunkId: number; dialerId: number; channels: number }

/** The trunk and dialer that this CLI implies. The account cannot lose it before the transaction ends. */
export async function requireCli(tx: Tx, ownerId: number, cli: string): Promise<ActiveLine> {
  const line = await store.lockHeldCli(tx, ownerId, cli)
  if (!line) throw badField('cli', 'is not a caller ID of yours')
  const { trunkId, dialerId } = line
  if (trunkId === null || dialerId === null) throw badField('cli', 'is inactive: it has no trunk', 'inactive')
  await requireShowable(tx, line.cliId)
  return { ...line, trunkId, dialerId }
}

/** The same for `cliId`; if the account no longer holds it, or it has no trunk, for another of its CLIs. */
export async function requireActiveCli(tx: Tx, ownerId: number, cliId: number): Promise<ActiveLine> {
  const cli = await store.activeCliOf(tx, ownerId, cliId)
  if (cli === undefined) throw conflict('cli', 'is missing: your account has no active caller ID', 'required')
  return await requireCli(tx, ownerId, cli)
}

/** Current limits of channels and calls per second for this CLI. */
export function lineCaps(db: Db, cliId: number): Promise<store.LineCaps> {
  return store.capsOf(db, cliId)
}
