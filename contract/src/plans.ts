import * as z from 'zod/mini'
import {
  cheaperLengths,
  costOf,
  leastPulsePaisa,
  cheaperThanParent,
  rupeesOf,
  rupeesText,
  type Price,
} from './money.ts'
import { account, choice, choices } from './filters.ts'
import { json, list, type ReplyOf, type RowOf } from './route.ts'
import { Id, Message, Name, OneLine, orRequired, UserIdInput, wireInt } from './values.ts'

/** docs/api.md#plans */
export const pulseSeconds = [1, 10, 15, 30, 60] as const
/** Paisa. More per pulse or segment is taken for a typing error. */
const pulsePriceMax = 100_000

const pulseError = `must be one of ${pulseSeconds.join(', ')} seconds`
const PulseDuration = z.pipe(
  z.union([z.number({ error: pulseError }), OneLine({ error: pulseError })], orRequired(pulseError)),
  z.pipe(
    z.transform((value: string | number) => (/^\d{1,3}$/.test(String(value)) ? Number(value) : 0)),
    z.literal(pulseSeconds, { error: pulseError }),
  ),
)
const planStatusError = 'must be 0 or 1'
const PlanStatus = z.pipe(
  z.union([z.number({ error: planStatusError }), OneLine({ error: planStatusError })], orRequired(planStatusError)),
  z.pipe(
    z.transform((value: string | number) => (/^[01]$/.test(String(value)) ? Number(value) : -1)),
    z.literal([0, 1], { error: planStatusError }),
  ),
)

const Prices = {
  pulseDuration: z.number(),
  /** Paisa. */
  pulsePrice: z.number(),
  /** Paisa per segment; null: the platform's price. */
  smsPrice: z.nullable(z.number()),
}
/** `owner`: only plans of that account. */
const filters = {
  planStatus: choice(['1', '0']),
  pulseDuration: choices(['1', '10', '15', '30', '60']),
  owner: account,
} as const
const Choice = z.object({ planId: z.number(), planName: z.string(), ...Prices })

export const planRoutes = {
  pulses: json({
    method: 'GET',
    path: '/api/obd/pulse',
    reply: z.array(z.object({ pulseDuration: z.number() })),
  }),
  /** `userId` is ignored: a plan belongs to whoever adds it, a super admin's to the platform. */
  add: json({
    method: 'POST',
    path: '/api/obd/plan',
    input: z.object({
      userId: z.optional(Id),
      planName: Name,
      pulseDuration: PulseDuration,
      pulsePrice: wireInt(0, pulsePriceMax),
      smsPrice: z.optional(wireInt(0, pulsePriceMax)),
    }),
    reply: z.object({ message: z.string(), planId: z.number() }),
  }),
  /** Null for super admins and for accounts without a plan. */
  own: json({ method: 'GET', path: '/api/obd/plan/own', reply: z.object({ plan: z.nullable(Choice) }) }),
  list: list({
    path: '/api/obd/plans/:userId',
    input: UserIdInput,
    filters,
    row: z.object({
      planId: z.number(),
      planName: z.string(),
      ...Prices,
      /** 1 enabled, 0 disabled: no longer offered, but accounts keep it. */
      planStatus: z.number(),
      username: z.string(),
      usedBy: z.number(),
    }),
    sort: ['-planId', 'planName', 'pulseDuration', 'pulsePrice', 'planStatus', 'username'],
  }),
  /** The caller's enabled plans that are not cheaper than the caller's own plan. */
  choices: json({
    method: 'GET',
    path: '/api/obd/plans/list/:userId',
    input: UserIdInput,
    reply: z.array(Choice),
  }),
  setStatus: json({
    method: 'POST',
    path: '/api/obd/plan/update/status',
    input: z.object({ planId: Id, planStatus: PlanStatus }),
    reply: Message,
  }),
  delete: json({
    method: 'DELETE',
    path: '/api/obd/plan/:planId',
    input: z.object({ planId: Id }),
    reply: Message,
  }),
}
export type PlanRow = RowOf<typeof planRoutes.list>
export type PlanChoice = ReplyOf<typeof planRoutes.choices>[number]

/**
 * Why an account with the plan `own` cannot give `plan`, and the price that would do, continuing a sentence after 'is too low: '; null when it can
 * (docs/design.md#who-pays-whom).
 */
export function whyTooCheap(plan: Price, own: Price): string | null {
  const fault = cheaperThanParent(plan, own)
  if (!fault) return null
  const seconds = Math.ceil(fault.ms / 1000)
  const would = `at least ${leastPulsePaisa(plan.pulseMs, own)} paisa per ${plan.pulseMs / 1000} s would do`
  const first = `a call of ${seconds} s would cost Rs ${rupeesText(fault.costPaisa)}, you pay Rs ${rupeesText(fault.parentPaisa)} for it yourself; ${would}`
  return `${lengthsText(cheaperLengths(plan, own))} would earn less than they cost: ${first}`
}

const rangesMax = 3

function lengthsText(ranges: readonly [first: number, last: number][]): string {
  const shown = ranges.slice(0, rangesMax).map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
  return `calls of ${shown.join(', ')} s${ranges.length > rangesMax ? ' and so on' : ''}`
}

/** In rupees with two decimals: '1.50'. */
export function callCost(plan: Price, seconds: number): string {
  return rupeesOf(costOf(seconds * 1000, plan)).toFixed(2)
}
