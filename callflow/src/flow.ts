import { calendars, dtmfKeys, languages, spokenKinds, spokenTypes, type Language } from '@ghanti/contract/templates.ts'
import * as z from 'zod/mini'

const Ms = z.number().check(z.int(), z.minimum(0))

/** A recorded prompt. `hash` names the sound, so that a replaced prompt never reaches a composed campaign. */
const PromptPart = z.object({
  kind: z.literal('prompt'),
  /** Its role in the flow, for statistics and previews; absent in flows that were stored without. */
  name: z.optional(z.string()),
  promptId: z.number(),
  durationMs: Ms,
  hash: z.string(),
})
export type PromptPart = z.output<typeof PromptPart>

/** A value from the contact's row. `column` is an index into the flow's `spoken`; `durationMs` is the longest that a value may take. */
const SpokenPart = z.object({
  kind: z.literal('spoken'),
  type: z.enum(spokenTypes),
  column: z.number().check(z.int(), z.minimum(0)),
  durationMs: Ms,
})

const Part = z.discriminatedUnion('kind', [PromptPart, SpokenPart])
export type Part = z.output<typeof Part>
const Parts = z.array(Part)

/** What a valid key does: play parts and end, go on to the next menu, or bridge the call to an agent (E.164). */
const KeyAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('end'), say: Parts }),
  z.object({ type: z.literal('nextMenu'), say: Parts }),
  z.object({ type: z.literal('agent'), number: z.string() }),
])
type KeyAction = z.output<typeof KeyAction>

const Menu = z.object({
  /** Identifies the menu in statistics of keys. */
  name: z.string(),
  ask: Parts,
  keys: z.array(z.object({ digit: z.enum(dtmfKeys), action: KeyAction })),
  /** The silence after the prompt in which a key is awaited; 0: none. */
  waitMs: Ms,
  rePrompts: Ms,
  noInput: Parts,
  wrongInput: Parts,
  /** What follows the last prompt without a valid key. */
  unanswered: z.enum(['end', 'nextMenu']),
})
export type Menu = z.output<typeof Menu>

const Speech = z.object({ language: z.enum(languages), calendar: z.enum(calendars) })
export type Speech = z.output<typeof Speech>

/** Call Now: who is called first, who is called once that one has answered (E.164), and how long the second telephone rings. */
const Connect = z.object({ agent: z.string(), customer: z.string(), ringMs: Ms })

/**
 * A composed campaign's call flow, frozen as JSON. `opening` is played once, directly before the first menu; then each menu is asked; then
 * `closing` is played and the call ends. `spoken` lists the contact columns whose values are spoken, in the order of the template; `speech` is
 * null when there are none. `connect`: a call without menus that joins two people; the contact's number is called second.
 */
export const Flow = z.object({
  templateId: z.number(),
  opening: Parts,
  menus: z.array(Menu),
  closing: Parts,
  speech: z._default(z.nullable(Speech), null),
  spoken: z._default(z.array(z.object({ column: z.string(), kind: z.enum(spokenKinds) })), []),
  connect: z.optional(Connect),
  /** The language of the notice before a recording. Absent: that of `speech`, else Nepali. */
  language: z.optional(z.enum(languages)),
})
export type Flow = z.output<typeof Flow>

export const agentRingMs = 25_000

/** For how long the ringing tone is heard before an agent who was busy is rung once more. */
export const busyAgainMs = 5000

const customerRingMs = 45_000

type Joined = { agent: string; customer: string; language?: Language | null }

/** A Call Now plays only a notice, in the language of the call that it follows, and ends when either side hangs up. */
export function connectFlow({ agent, customer, language }: Joined): Flow {
  const connect = { agent, customer, ringMs: customerRingMs }
  const flow = { templateId: 2, opening: [], menus: [], closing: [], speech: null, spoken: [], connect }
  return language ? { ...flow, language } : flow
}

/** Holds for every call, whatever its flow and its money allow. */
export const callMsMax = 3_600_000

/** Added to the length of each prompt, wait or ring: the time to begin, to end, and to get the next command. */
export const reactionMs = 250

/** By how much a call lasts longer at most because a busy agent is rung once more. */
export const ringAgainMs = busyAgainMs + agentRingMs + reactionMs

/** 'welcome', 'menu2', 'date1', …; 'prompt' in flows that were stored without names. */
export function partName(part: Part): string {
  return part.kind === 'spoken' ? part.type : (part.name ?? 'prompt')
}

export function joinsTwo({ connect, menus }: Flow): boolean {
  return connect !== undefined || menus.some(({ keys }) => keys.some(({ action }) => action.type === 'agent'))
}

/** The keys that any of its menus takes. */
export function keysTaken({ menus }: Pick<Flow, 'menus'>): Set<string> {
  return new Set<string>(menus.flatMap(({ keys }) => keys.map(({ digit }) => digit)))
}

/** Every part that a call may play, in the order of the flow. */
export function partsOf(flow: Flow): Part[] {
  const ofMenus = flow.menus.flatMap((menu) => [
    ...menu.ask,
    ...menu.noInput,
    ...menu.wrongInput,
    ...menu.keys.flatMap(({ action }) => (action.type === 'agent' ? [] : action.say)),
  ])
  return [...flow.opening, ...ofMenus, ...flow.closing]
}

export function durationMs(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.durationMs, 0)
}

/** 2 when the flow can bridge to an agent, because each leg is billed; otherwise 1. */
export function legsOf(flow: Flow): 1 | 2 {
  return flow.connect || flow.menus.some(asksForAgent) ? 2 : 1
}

/**
 * The longest path from the answer to the hang-up, in ms, without the conversation with an agent, which is extended minute by minute, and without the second
 * ringing of agents who are busy, which extends it when it comes.
 */
export function longestMs(flow: Flow): number {
  const ring = flow.connect ? flow.connect.ringMs + reactionMs : 0
  const menus = flow.menus.reduce((sum, menu) => sum + longestMenuMs(menu), ring)
  return Math.min(callMsMax, durationMs(flow.opening) + menus + durationMs(flow.closing) + 2 * reactionMs)
}

function longestMenuMs(menu: Menu): number {
  const ring = asksForAgent(menu) ? agentRingMs + reactionMs : 0
  const once = durationMs(menu.ask) + menu.waitMs + ring + 2 * reactionMs
  const again = Math.max(durationMs(menu.noInput), durationMs(menu.wrongInput))
  const said = menu.keys.map(({ action }) => (action.type === 'agent' ? 0 : durationMs(action.say)))
  return once + menu.rePrompts * (again + once) + Math.max(0, ...said)
}

function asksForAgent(menu: Menu): boolean {
  return menu.keys.some(({ action }) => action.type === 'agent')
}

/** The flow with these maximum durations of its spoken columns, in ms. */
export function withSpokenMs(flow: Flow, msByColumn: readonly number[]): Flow {
  const parts = (some: readonly Part[]): Part[] =>
    some.map((part) =>
      part.kind === 'spoken' ? { ...part, durationMs: msByColumn[part.column] ?? part.durationMs } : part,
    )
  const keys = (menu: Menu): Menu['keys'] =>
    menu.keys.map(({ digit, action }) => ({
      digit,
      action: action.type === 'agent' ? action : { ...action, say: parts(action.say) },
    }))
  const menus = flow.menus.map((menu) => ({
    ...menu,
    ask: parts(menu.ask),
    noInput: parts(menu.noInput),
    wrongInput: parts(menu.wrongInput),
    keys: keys(menu),
  }))
  return { ...flow, opening: parts(flow.opening), menus, closing: parts(flow.closing) }
}
