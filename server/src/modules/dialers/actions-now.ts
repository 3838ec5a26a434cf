import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { Db } from '../../db/db.ts'
import * as store from './store-trunks.ts'

/** Every trunk as the engine that holds its dialer sees it now. Unpaged: an installation has some dozens at most. */
export async function trunksNow(db: Db) {
  const { rows } = await store.listTrunks(db, {}, { page: 1, pageSize: trunksMax, sort: 'trunkName' })
  return rows.map((row) => ({
    trunkId: row.id,
    trunkName: row.name,
    cps: row.cps,
    channels: row.channels,
    state: stateOf(row),
  }))
}
const trunksMax = 1000

/** Null when no engine holds the trunk's dialer. */
export function stateOf(row: store.TrunkState) {
  if (row.calls === null) return null
  const recent = row.recent ?? ''
  const held = row.held_since && {
    since: nepalTimeOf(row.held_since),
    reason: row.hold_reason ?? '',
    nextProbeAt: row.next_probe_at && nepalTimeOf(row.next_probe_at),
  }
  return {
    reachable: row.reachable,
    registered: row.registered,
    unusable: row.unusable,
    calls: row.calls,
    channelsUsed: row.channels_used ?? 0,
    callsPerSecond: row.begun ?? 0,
    takes: row.takes_cps === null ? null : Number(row.takes_cps.toPrecision(2)),
    recent: { calls: recent.length, answered: recent.replaceAll('0', '').length },
    held,
    lastFailure: failureOf(row.last_failure, row.last_failure_at),
  }
}

export function failureOf(reason: string | null, at: Date | null): { reason: string; at: string } | null {
  return reason === null || at === null ? null : { reason, at: nepalTimeOf(at) }
}
