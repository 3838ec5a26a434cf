import { Flow, partsOf, type Part } from '@ghanti/callflow/flow.ts'
import type { FilesDriver } from '../../../drivers/files/driver.ts'
import type { Media } from '../../../drivers/telephony/driver.ts'
import type { Language } from '@ghanti/contract/templates.ts'
import { pulsesOf, type Price } from '@ghanti/contract/money.ts'
import { trunkName } from './trunk-data.ts'
import { loadPlan } from './plan.sql.ts'
import type { Queryable } from '../../../dispatch/statement.ts'

export type Plan = {
  campaignId: number
  /** The user and their resellers, from the user upwards. */
  payerIds: readonly number[]
  /** Owners of the blacklists that hold: these accounts and the platform. */
  blacklistOwnerIds: readonly number[]
  flow: Flow
  /** The language of whatever the called people hear beside the template's own prompts. */
  language: Language
  /** A test call: each number is dialled once, and what happens is recorded. */
  isTest: boolean
  /** At the user's level. */
  price: Price
  /** It runs because of Retry, which gives each row one attempt and no re-attempts. */
  isRetry: boolean
  retries: number
  retryMs: number
  /** How long a call may ring, at most. Null: as the trunk says. */
  ringMs: number | null
  /** No row has more attempts, whatever happens. */
  attemptsMax: number
  sounds: ReadonlyMap<string, Sound>
  /** Prompts that were deleted or whose sound is gone. A campaign with such prompts does not dial. */
  gone: readonly number[]
}

/** Whose campaign it is. */
export function accountOf({ payerIds }: Pick<Plan, 'payerIds'>): number {
  return payerIds[0] ?? 0
}

/** A sound that calls hear, and its origin: a prompt, by its id, or a value, by its words. */
export type Sound = Media & { of: number | string }

/** A caller ID and the trunk over which calls show it. `trunk`: the trunk's name on the dialer. */
export type CliOfTrunk = { id: number; number: string; trunkId: number; trunk: string }

export function cliOfTrunk(id: number, number: string, trunkId: number): CliOfTrunk {
  return { id, number, trunkId, trunk: trunkName(trunkId) }
}

export async function planOf(db: Queryable, files: FilesDriver, campaignId: number): Promise<Plan> {
  const row = await loadPlan(db, campaignId)
  const flow = Flow.parse(row.flow)
  const sounds = new Map<string, Sound>()
  const gone = [...row.deleted_prompts]
  for (const part of partsOf(flow)) {
    if (part.kind === 'spoken' || sounds.has(part.hash)) continue
    const { hash, promptId, durationMs } = part
    const path = await files.pathOf(hash).catch(() => null)
    if (path !== null) sounds.set(hash, { hash, path, durationMs, of: promptId })
    else if (!gone.includes(promptId)) gone.push(promptId)
  }
  return {
    campaignId,
    payerIds: row.payer_ids,
    blacklistOwnerIds: [...row.payer_ids, row.mint_id],
    flow,
    language: flow.speech?.language ?? flow.language ?? 'ne',
    isTest: row.is_test,
    price: { pulseMs: row.pulse_ms, pulsePaisa: row.pulse_paisa },
    isRetry: row.is_retry,
    retries: row.is_retry ? 0 : row.retries,
    attemptsMax: row.retries + (row.is_retry ? 2 : 1),
    retryMs: row.retry_ms,
    ringMs: row.ring_seconds === null ? null : row.ring_seconds * 1000,
    sounds,
    gone,
  }
}

/** `spoken`: the sounds of the row, by column. */
export function mediaOf(plan: Plan, parts: readonly Part[], spoken: readonly Media[]): Media[] {
  return parts.map((part) => {
    if (part.kind === 'spoken') {
      const said = spoken[part.column]
      if (!said) throw new Error(`${part.type} of a row of campaign ${plan.campaignId} has no sound`)
      return said
    }
    const sound = plan.sounds.get(part.hash)
    if (!sound) throw new Error(`prompt ${part.hash} is not in the plan of campaign ${plan.campaignId}`)
    return { hash: part.hash, path: sound.path, durationMs: sound.durationMs }
  })
}

/** A leg that we cut may end this much after its limit, which must not take it into the next pulse. */
const cutMs = 250

/** What a customer's leg and an agent's leg cost when they last this long. */
export function costPaisa(price: Price, customerMs: number, agentMs: number | null): number {
  const pulses = pulsesOf(customerMs + cutMs, price.pulseMs)
  return (pulses + (agentMs === null ? 0 : pulsesOf(agentMs + cutMs, price.pulseMs))) * price.pulsePaisa
}

/** How long an answered leg may last on its reservation: at most `wantedMs`, rounded up to what is paid for anyway. */
export function talkLimitMs(price: Price, wantedMs: number, reservedPaisa: number): number {
  const wanted = pulsesOf(wantedMs, price.pulseMs)
  const paid = price.pulsePaisa === 0 ? wanted : Math.min(wanted, Math.floor(reservedPaisa / price.pulsePaisa))
  return Math.max(cutMs, paid * price.pulseMs - cutMs)
}

/** How long before a minute begins its money is reserved, in the dialer's ms; at least one second of ours. */
export const aheadOf = (speed: number): number => Math.min(30_000, Math.max(10_000, 1000 * speed))
