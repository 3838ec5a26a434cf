import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import { settings } from '../modules/platform/rules.ts'
import * as z from 'zod/mini'
import type { Queryable } from './statement.ts'
import {
  loadBlocks,
  loadCampaigns,
  loadDialer,
  loadSettings,
  loadTrunks,
  type BlockRow,
  type CampaignRow,
  type DialerRow,
  type SettingRow,
  type TrunkRow,
} from './world.sql.ts'

/** The database as a tick finds it. */
export type World = {
  campaigns: CampaignRow[]
  dialer: DialerRow | undefined
  trunks: TrunkRow[]
  blocks: BlockRow[]
  /** Of an account, by itself and those above it, nearest first: his own hours or the nearest's, else the platform's. */
  hoursOf(payerIds: readonly number[]): CallingHours
  /** How long a campaign that is retried after its last day may dial again. */
  dialDays: number
}

const { callingHours, dialDays } = settings

export async function loadWorld(db: Queryable, dialerId: number, waitingToo: boolean): Promise<World> {
  const [campaigns, dialer, trunks, blocks, kept] = await Promise.all([
    loadCampaigns(db, dialerId, waitingToo),
    loadDialer(db, dialerId),
    loadTrunks(db, dialerId),
    loadBlocks(db),
    loadSettings(db, [callingHours.key, dialDays.key], callingHours.key),
  ])
  return { campaigns, dialer, trunks, blocks, ...settingsOf(kept) }
}

function settingsOf(kept: readonly SettingRow[]): Pick<World, 'hoursOf' | 'dialDays'> {
  const valueOf = (key: string, accountId: number | null): unknown =>
    kept.find((row) => row.key === key && row.account_id === accountId)?.value
  const platform = z.parse(callingHours.schema, valueOf(callingHours.key, null) ?? callingHours.fallback)
  const accounts = new Map<number, CallingHours>()
  for (const row of kept)
    if (row.account_id !== null) accounts.set(row.account_id, z.parse(callingHours.schema, row.value))
  return {
    hoursOf(payerIds) {
      const nearest = payerIds.find((id) => accounts.has(id))
      return (nearest === undefined ? undefined : accounts.get(nearest)) ?? platform
    },
    dialDays: z.parse(dialDays.schema, valueOf(dialDays.key, null) ?? dialDays.fallback),
  }
}
