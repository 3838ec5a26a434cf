import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import type { LostServer } from '@ghanti/contract/lost-server.ts'
import { operatorRangesOf, type OperatorRanges } from '@ghanti/contract/operators.ts'
import { settings } from '../../../modules/platform/rules.ts'
import * as z from 'zod/mini'
import { loadNotice, type NoticeSound } from '../../dialer/audio/recordings.sql.ts'
import { BatchedQuery } from '../../../dispatch/rounds/batched-query.ts'
import type { NumberCaps } from '../../model/campaigns/claim.sql.ts'
import type { Queryable } from '../../../dispatch/statement.ts'
import {
  loadBlocks,
  loadCampaigns,
  loadDialersOf,
  loadSettings,
  loadTrunks,
  type BlockRow,
  type CampaignRow,
  type DialerRow,
  type SettingRow,
  type TrunkRow,
} from '../../model/campaigns/snapshot.sql.ts'

/** The database as a tick finds it. */
export type Snapshot = {
  campaigns: CampaignRow[]
  dialer: DialerRow | undefined
  trunks: TrunkRow[]
  /** Read only when a campaign needs them. */
  blocks: BlockRow[]
  /** The calling hours of an account: its own, or those of the nearest account above that has some, or the platform's. */
  hoursOf(payerIds: readonly number[]): CallingHours
  /** For how long a campaign that is retried after its last day may dial again. */
  dialDays: number
  numberCaps: NumberCaps
  operators: OperatorRanges
  /** What is heard before a recording. Undefined: not read, since no campaign needs it. */
  notice: NoticeSound[] | undefined
  /** What the dialer does with its calls when no engine is left. Undefined: not read, since it has no campaign. */
  lostServer: LostServer | undefined
}

const { callingHours, dialDays, numberCaps, operatorPrefixes, lostServer } = settings
const settingKeys = [callingHours.key, dialDays.key, numberCaps.key, operatorPrefixes.key, lostServer.key]

/** `version`: of all settings together, as it was known before these were read. */
type KnownTrunks = { version: string | null; dialer: DialerRow | undefined; trunks: TrunkRow[] }

const noSettings = settingsOf([])

/** Reads the database for the ticks of all dialers of this process. */
export class Snapshots {
  readonly #db: Queryable
  readonly #batch = new BatchedQuery<number, Snapshot>((ids) => this.#read(ids))
  readonly #waitingToo = new Set<number>()
  readonly #trunks = new Map<number, KnownTrunks>()
  /** Another one after every change of a dialer, trunk or contract. Null: not known. */
  version: string | null = null

  constructor(db: Queryable) {
    this.#db = db
  }

  /** `waitingToo`: load campaigns too that only wait for something outside. */
  of(dialerId: number, waitingToo: boolean): Promise<Snapshot> {
    if (waitingToo) this.#waitingToo.add(dialerId)
    return this.#batch.ask(dialerId)
  }

  /** Settings may have changed since the dialer's were last read. */
  isStale(dialerId: number): boolean {
    const known = this.#trunks.get(dialerId)
    return !known || known.version !== this.version
  }

  async readTrunks(dialerId: number): Promise<Pick<Snapshot, 'dialer' | 'trunks'>> {
    await this.#readTrunks([dialerId])
    return this.#trunksOf(dialerId)
  }

  /** Another engine holds the dialer. */
  forget(dialerId: number): void {
    this.#trunks.delete(dialerId)
    this.#waitingToo.delete(dialerId)
  }

  async #read(ids: readonly number[]): Promise<Map<number, Snapshot>> {
    const db = this.#db
    const waitingToo = ids.filter((id) => this.#waitingToo.has(id))
    const campaigns = await loadCampaigns(db, ids, waitingToo)
    const campaignsOf = Map.groupBy(campaigns, (campaign) => campaign.dialer_id)
    const isIdle = campaigns.length === 0
    const [kept, blocks, notice] = await Promise.all([
      isIdle ? null : loadSettings(db, settingKeys, callingHours.key),
      isIdle ? [] : loadBlocks(db),
      isIdle ? undefined : loadNotice(db),
      this.#readTrunks(ids.filter((id) => campaignsOf.has(id) || this.isStale(id))),
    ])
    const platform = kept ? settingsOf(kept) : noSettings
    for (const id of waitingToo) this.#waitingToo.delete(id)
    return new Map(
      ids.map((id) => [
        id,
        {
          campaigns: campaignsOf.get(id) ?? [],
          ...this.#trunksOf(id),
          blocks,
          notice,
          lostServer: kept ? lostServerOf(kept) : undefined,
          ...platform,
        },
      ]),
    )
  }

  #trunksOf(dialerId: number): Pick<Snapshot, 'dialer' | 'trunks'> {
    const { dialer, trunks = [] } = this.#trunks.get(dialerId) ?? {}
    return { dialer, trunks }
  }

  async #readTrunks(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const { version } = this
    const [dialers, trunks] = await Promise.all([loadDialersOf(this.#db, ids), loadTrunks(this.#db, ids)])
    const trunksOf = Map.groupBy(trunks, (trunk) => trunk.dialer_id)
    for (const id of ids) {
      const dialer = dialers.find((one) => one.id === id)
      this.#trunks.set(id, { version, dialer, trunks: trunksOf.get(id) ?? [] })
    }
  }
}

function lostServerOf(kept: readonly SettingRow[]): LostServer {
  const row = kept.find(({ key, account_id }) => key === lostServer.key && account_id === null)
  return z.parse(lostServer.schema, row?.value ?? lostServer.fallback)
}

function settingsOf(kept: readonly SettingRow[]): Pick<Snapshot, 'hoursOf' | 'dialDays' | 'numberCaps' | 'operators'> {
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
    numberCaps: z.parse(numberCaps.schema, valueOf(numberCaps.key, null) ?? numberCaps.fallback),
    operators: operatorRangesOf(
      z.parse(operatorPrefixes.schema, valueOf(operatorPrefixes.key, null) ?? operatorPrefixes.fallback),
    ),
  }
}
