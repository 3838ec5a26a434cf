import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { Tx } from '../../db/db.ts'
import type { PriceLevel } from '../credits/actions.ts'
import { lineCaps, type ActiveLine } from '../lines/actions.ts'
import { callingHoursOf, openBlocks } from '../platform/actions.ts'
import { startOfCalls, type Start, type Way } from './rules-start.ts'
import * as store from './store.ts'

type Chain = readonly PriceLevel[]
export type WayOf = Way & { driver: string; otherTrunks: readonly { trunkId: number; dialerId: number }[] }

export async function wayOf(tx: Tx, cliId: number, chain: Chain): Promise<WayOf> {
  const line = await lineCaps(tx, cliId)
  const payers = chain.map(({ payerId }) => payerId)
  const accounts = await store.channelCaps(tx, payers)
  return {
    driver: line.driver,
    otherTrunks: line.otherTrunks,
    dialerDown: line.dialerDown,
    unusable: line.unusable,
    held: line.held,
    dialer: { name: line.dialer, channels: line.dialerChannels, callsPerSecond: line.dialerCps },
    trunk: { name: line.trunk, channels: line.trunkChannels, callsPerSecond: line.trunkCps },
    cli: { number: line.cli, channels: line.cliChannels, isGroup: line.isGroup },
    accountChannels: accounts.length > 0 ? Math.min(...accounts) : null,
  }
}

type Asked = { line: ActiveLine; chain: Chain; way: WayOf; wanted: Date; now: Date; dialUntil: Date }

/** When the first call over this line would start if requested for `wanted`, and the calling hours that apply. */
export async function startOn(tx: Tx, { line, chain, way, ...times }: Asked): Promise<Start & { hours: CallingHours }> {
  const [own] = chain
  if (!own) throw new Error('nobody pays for these calls')
  const hours = await callingHoursOf(tx, own.payerId)
  const open = await openBlocks(tx)
  const isStopped = (what: 'trunk' | 'dialer', id: number) =>
    open.some(({ kind, targetId }) => kind === what && targetId === id)
  const left = way.otherTrunks.filter(({ trunkId }) => !isStopped('trunk', trunkId)) // other trunks that are not stopped
  const goesOn = left.some(({ dialerId }) => dialerId === line.dialerId || !isStopped('dialer', dialerId))
  const goesOnElsewhere = left.some(({ dialerId }) => dialerId !== line.dialerId && !isStopped('dialer', dialerId))
  const blocks = open
    .filter(({ kind }) => (kind !== 'trunk' || !goesOn) && (kind !== 'dialer' || !goesOnElsewhere))
    .map(({ kind, targetId, reason }) => ({ kind, target_id: targetId, reason }))
  const stoppable = {
    dialer: { id: line.dialerId, name: way.dialer.name },
    trunkId: line.trunkId,
    payerIds: chain.map(({ payerId }) => payerId),
  }
  return { ...startOfCalls({ ...times, hours, blocks, stoppable, way }), hours }
}
