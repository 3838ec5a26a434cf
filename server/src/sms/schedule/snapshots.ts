import { operatorCode } from '@ghanti/contract/operators.ts'
import type { CallingHours } from '@ghanti/contract/calling-hours.ts'
import * as z from 'zod/mini'
import { BatchedQuery } from '../../dispatch/rounds/batched-query.ts'
import type { Queryable } from '../../dispatch/statement.ts'
import { settings } from '../../modules/platform/rules.ts'
import { loadSmsCampaigns, type SmsCampaignRow } from '../model/campaign.sql.ts'
import type { SmsNumberCaps } from '../model/claim.sql.ts'
import { operatorWords } from './decide.ts'
import { carriers, stepsOf, type RouteStep } from '../model/routing.ts'
import { words } from '../model/words.ts'
import {
  loadGateways,
  loadRoutes,
  loadSmsBlocks,
  loadSmsSettings,
  type GatewayRow,
  type RouteRow,
  type SmsBlockRow,
} from '../model/snapshot.sql.ts'

export type SmsSnapshot = {
  campaigns: SmsCampaignRow[]
  gateways: ReadonlyMap<number, GatewayRow>
  routes: readonly RouteRow[]
  blocks: readonly SmsBlockRow[]
  hours: CallingHours
  caps: SmsNumberCaps
  dialDays: number
}

const { smsHours, smsNumberCaps, dialDays } = settings

/** Whatever else a snapshot has is of use only to a campaign. */
const idle: SmsSnapshot = {
  campaigns: [],
  gateways: new Map(),
  routes: [],
  blocks: [],
  hours: smsHours.fallback,
  caps: smsNumberCaps.fallback,
  dialDays: dialDays.fallback,
}

/** Reads the database for all gateways of this process, once for ticks that coincide. */
export class SmsSnapshots {
  readonly #running: BatchedQuery<string, SmsSnapshot>
  readonly #db: Queryable

  constructor(db: Queryable) {
    this.#db = db
    this.#running = new BatchedQuery(async (keys) => {
      const snapshot = await this.read({ all: false })
      return new Map(keys.map((key) => [key, snapshot]))
    })
  }

  running(): Promise<SmsSnapshot> {
    return this.#running.ask('running')
  }

  async read({ all }: { all: boolean }): Promise<SmsSnapshot> {
    const db = this.#db
    const campaigns = await loadSmsCampaigns(db, { all })
    if (campaigns.length === 0) return idle
    const [gateways, routes, blocks, kept] = await Promise.all([
      loadGateways(db),
      loadRoutes(db),
      loadSmsBlocks(db),
      loadSmsSettings(db, [smsHours.key, smsNumberCaps.key, dialDays.key]),
    ])
    return {
      campaigns,
      routes,
      blocks,
      gateways: new Map(gateways.map((gateway) => [gateway.id, gateway])),
      hours: z.parse(smsHours.schema, kept.get(smsHours.key) ?? smsHours.fallback),
      caps: z.parse(smsNumberCaps.schema, kept.get(smsNumberCaps.key) ?? smsNumberCaps.fallback),
      dialDays: z.parse(dialDays.schema, kept.get(dialDays.key) ?? dialDays.fallback),
    }
  }
}

function blockOfGateway(blocks: readonly SmsBlockRow[], gatewayId: number): SmsBlockRow | undefined {
  return blocks.find(({ kind, target_id }) => kind === 'gateway' && target_id === gatewayId)
}

/** Who carries a stream's messages now. `own`: the state of one gateway that this process knows first-hand. */
export function carriersOf(
  { routes, gateways, blocks }: SmsSnapshot,
  stream: { operator: number; sender: string },
  own?: { gatewayId: number; works: boolean },
): RouteStep[] {
  return carriers(stepsOf(routes, stream.operator, stream.sender) ?? [], (id) => {
    const gateway = gateways.get(id)
    if (!gateway?.enabled || blockOfGateway(blocks, id)) return false
    return own?.gatewayId === id ? own.works : gateway.works
  })
}

/** How many gateways carry a sender ID's messages now, whatever the operator. */
export function gatewaysOf(snapshot: SmsSnapshot, sender: string, own: { gatewayId: number; works: boolean }): number {
  const operators = Object.values(operatorCode)
  const ids = operators.flatMap((operator) =>
    carriersOf(snapshot, { operator, sender }, own).map((step) => step.gateway_id),
  )
  return Math.max(1, new Set(ids).size)
}

/** Why no gateway takes this sender ID's messages to this operator, as a sentence; null when one does. */
export function noGatewayReason(snapshot: SmsSnapshot, operator: number, sender: string): string | null {
  const { routes, gateways, blocks } = snapshot
  const steps = stepsOf(routes, operator, sender) ?? []
  if (carriers(steps, (id) => gateways.get(id)?.enabled === true).length === 0) {
    const [disabled] = steps.flatMap((step) => gateways.get(step.gateway_id) ?? [])
    return disabled ? words.gatewayDisabled(disabled.name) : words.noRoute(operatorWords(operator))
  }
  if (carriersOf(snapshot, { operator, sender }).length > 0) return null
  for (const { gateway_id } of steps) {
    const gateway = gateways.get(gateway_id)
    if (!gateway?.enabled) continue
    const block = blockOfGateway(blocks, gateway_id)
    if (block) return words.blocked(`of gateway ${gateway.name}`, block.reason)
    return gateway.reason === null ? words.gatewayAway(gateway.name) : words.gatewayDown(gateway.name, gateway.reason)
  }
  return words.noRoute(operatorWords(operator))
}
