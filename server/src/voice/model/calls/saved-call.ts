import { noTrail, Trail } from '@ghanti/callflow/trail.ts'
import * as z from 'zod'
import type { AgentMissed } from '../../../db/tables.ts'

const CallStateShape = z.object({
  at: z.enum(['dialling', 'asking', 'waiting', 'ringing', 'talking', 'closing', 'ended']),
  step: z.number(),
  menu: z.number(),
  rePrompts: z.number(),
  rungAgain: z.boolean().default(false),
})

/** How a leg ended, as its channel reported. */
const LegEnd = z.object({
  type: z.literal('hungUp'),
  channelId: z.string(),
  at: z.number(),
  startedAt: z.number(),
  answeredAt: z.nullable(z.number()),
  endedBy: z.enum(['callee', 'network', 'hangUp', 'ringTimeout', 'timeLimit']),
  sipStatus: z.nullable(z.number()),
  cause: z.nullable(z.number()),
  alerted: z.boolean(),
  retryAfterMs: z.number().optional(),
  silentMs: z.number().optional(),
})

/** As it is stored in attempt_step.state. Engines of other versions read it, so fields may come in, and none gets values that were not there before. */
const SavedState = z.object({
  flow: CallStateShape,
  /** How long the customer's leg may last, from its answer. */
  limitMs: z.number(),
  agent: z.nullable(
    z.object({
      channelId: z.string(),
      number: z.string(),
      step: z.number(),
      /** How long the leg may last, from its answer. */
      limitMs: z.number(),
      /** When the agent answered, counted from the customer's answer. Null: still ringing. */
      beganMs: z.nullable(z.number()),
    }),
  ),
  /** Of agents' legs that have ended. Null: none was answered. */
  patchBillMs: z.nullable(z.number()),
  patchedTo: z.nullable(z.string()),
  /** Why the agent who was rung last was not talked to. */
  agentMissed: z.nullable(z.enum(['noChannel', 'notFree', 'notReached', 'noMoney'])).default(null),
  /** It was noChannel: agentMissed is then notFree, since engines of earlier versions know no other word for it. */
  noChannel: z.boolean().default(false),
  /** It was busy: agentMissed is then notReached, for the same reason. */
  isBusy: z.boolean().default(false),
  /** It was one of these: agentMissed is then notFree, for the same reason. */
  notRung: z.nullable(z.enum(['blacklisted', 'calledOften'])).default(null),
  /** How the last leg beside the first ended. */
  last: z.nullable(LegEnd).default(null),
  recordingId: z.nullable(z.string()),
  /** Of the notice before the recording. An engine that adopts the call never plays it again. */
  notice: z.enum(['none', 'playing', 'over']).default('none'),
  unheard: z.boolean().default(false),
  /** What the callee heard and answered. Empty for calls that were saved without it. */
  trail: z.catch(Trail, noTrail),
  /** Agents' legs that have ended and are in patchBillMs. */
  legs: z.array(z.string()),
  /** The dialer's time of the call's last event. */
  seenAt: z.number(),
})

type SavedState = z.output<typeof SavedState>

function missedOf({ agentMissed, noChannel, isBusy, notRung }: SavedState): AgentMissed | null {
  if (notRung) return notRung
  if (noChannel) return 'noChannel'
  return isBusy ? 'busy' : agentMissed
}

/** What is saved of an answered call for the engine that adopts it after a crash. */
export const SavedCall = SavedState.transform(
  (
    state,
  ): Omit<SavedState, 'agentMissed' | 'noChannel' | 'isBusy' | 'notRung'> & { agentMissed: AgentMissed | null } => {
    const { noChannel: _, isBusy: _b, notRung: _n, ...saved } = state
    return { ...saved, agentMissed: missedOf(state) }
  },
)
export type SavedCall = z.output<typeof SavedCall>

/** The state in a form that engines of earlier versions can read, too. */
export function stateOf(call: SavedCall): z.input<typeof SavedState> {
  const { agentMissed, ...saved } = call
  switch (agentMissed) {
    case 'noChannel':
      return { ...saved, agentMissed: 'notFree', noChannel: true }
    case 'busy':
      return { ...saved, agentMissed: 'notReached', isBusy: true }
    case 'blacklisted':
    case 'calledOften':
      return { ...saved, agentMissed: 'notFree', notRung: agentMissed }
    default:
      return { ...saved, agentMissed }
  }
}
