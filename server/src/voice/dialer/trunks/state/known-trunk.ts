import { RateLimiter } from '../../../../dispatch/turns/pacing.ts'
import type { DialerRow, TrunkRow } from '../../../model/campaigns/snapshot.sql.ts'
import type { DispositionRule } from '../../../model/calls/disposition.ts'
import { healthy, type TrunkHealth } from './circuit-breaker.ts'
import { settingsMark, settingsTextOf } from '../../../model/calls/trunk-data.ts'
import { TrunkRate } from '../limits/trunk-rate.ts'

/** What the engine knows of a trunk. */
export type Trunk = {
  row: TrunkRow
  rules: readonly DispositionRule[]
  health: TrunkHealth
  /** All settings that the dialer is to have of the trunk, and those that it got last. Null: none yet. */
  settings: string
  pushedSettings: string | null
  /** Why no call can use the trunk with its settings. Null: nothing is known against it. */
  fault: string | null
  limiter: RateLimiter
  rate: TrunkRate
  /** Times in the last second at which the operator had no room for a call. */
  refused: number[]
  probing: boolean
  /** The trunk may have been mended while its probe was in flight: what that probe meets is out of date. */
  mended: boolean
  /** Of its last calls, the newest last: '1' answered, '0' not. */
  recent: string
  /** When a call of each account last rang (Unix ms), since the engine started. */
  rangAt: Map<number, number>
}

export function isSet(trunk: Trunk): boolean {
  return trunk.pushedSettings === trunk.settings
}

/** The dialer has its present settings, and nothing is known against them. */
export function carries(trunk: Trunk): boolean {
  return isSet(trunk) && trunk.fault === null
}

/** The trunk's breaker was opened before this engine started. Its probe is due if somebody changed its settings, or its dialer's, meanwhile. */
export function newTrunk(dialer: DialerRow, row: TrunkRow): Trunk {
  const isMended = row.held_settings !== null && row.held_settings !== settingsMark(dialer, row)
  const opened = row.held_since && {
    since: row.held_since.getTime(),
    reason: row.hold_reason ?? 'it was on hold before',
    refusing: row.held_for_refusals ?? false,
    probes: row.probes ?? 0,
    nextProbeAt: (isMended ? row.held_since : (row.next_probe_at ?? row.held_since)).getTime(),
  }
  return {
    row,
    rules: rulesOf(row),
    health: opened ? { ...healthy, opened } : healthy,
    settings: settingsTextOf([row]),
    pushedSettings: null,
    fault: null,
    limiter: new RateLimiter(performance.now()),
    rate: new TrunkRate(row.takes_cps, performance.now()),
    refused: [],
    probing: false,
    mended: false,
    recent: row.recent,
    rangAt: new Map(),
  }
}

/** What names a status and a cause goes before what names one of them. */
export function rulesOf(row: TrunkRow): DispositionRule[] {
  const rules = row.rules.map(({ sip_status, q850_cause, disposition, sign }) => ({
    sip: sip_status === null ? [] : [sip_status],
    q850: q850_cause === null ? [] : [q850_cause],
    isBoth: sip_status !== null && q850_cause !== null,
    disposition,
    sign,
  }))
  return rules.toSorted((a, b) => Number(b.isBoth) - Number(a.isBoth))
}
