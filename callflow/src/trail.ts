import { ownValue } from '@ghanti/contract/own-values.ts'
import * as z from 'zod/mini'
import type { CallEvent, CallState, Step } from './call.ts'
import { partName, type Flow, type Part } from './flow.ts'

/** Answers to a menu other than a key. `left`: the callee hung up before any key. */
const otherAnswers = ['wrong', 'none', 'left'] as const

/** Where a call can end, besides its parts, the silences after menus, and agents. */
export const endings = {
  /** The callee heard everything. */
  end: 'end',
  /** We ended it early: it was stopped, a prompt failed, or its time was up. */
  cut: 'cut',
  /** Nobody saw the end; it is known from the dialer's record alone. */
  unknown: 'unknown',
} as const

const agentRings = 'agent'
const agentTalks = 'talk'

function silenceAfter(menu: string): string {
  return `${menu}?`
}

/** What has happened in an answered call so far. JSON, stored beside its state for the engine that adopts it. Times are the dialer's, in ms. */
export const Trail = z.object({
  /** The places that the call reached, in order, each once. */
  heard: z.array(z.string()),
  /** For each menu that was asked or answered, the last valid key or one of otherAnswers: 'left' until the call goes on. */
  answers: z.record(z.string(), z.string()),
  /** What has been playing since `at`. `menu`: the menu whose question it is. */
  playing: z.array(z.object({ name: z.string(), ms: z.number(), menu: z.nullable(z.string()) })),
  at: z.number(),
})
export type Trail = z.output<typeof Trail>

export const noTrail: Trail = { heard: [], answers: {}, playing: [], at: 0 }

/** How long a part lasts in this call; a spoken value is shorter than its maximum. */
export type PartMs = (part: Part) => number

/** `event` is null after a gap in the events. */
type FlowStep = { before: CallState; event: CallEvent | null; next: Step; at: number }

/** Records one step of the call. `at`: when its event happened. The end of a wait has no event, so it is computed. */
export function follow(flow: Flow, trail: Trail, { before, event, next, at }: FlowStep, msOf: PartMs): Trail {
  const menu = flow.menus[before.menu]
  const now = event?.type === 'waitEnded' ? trail.at + (menu?.waitMs ?? 0) : at
  const isOver = event?.type === 'promptEnded' && next.state !== before
  let after: Trail = { ...heardUntil(trail, isOver ? Infinity : now), at: now }
  if (isOver) after = { ...after, playing: [] }
  else if (next.commands.length === 0) after = trail
  for (const command of next.commands) {
    if (command.type === 'recordKey') after = answered(after, command.menu, command.valid ? command.digit : 'wrong')
    else if (command.type === 'stopPlayback') after = { ...after, playing: [] }
    else if (command.type === 'wait') after = came(after, silenceAfter(menu?.name ?? ''))
    else if (command.type === 'bridgeAgent') after = came(after, agentRings)
    else if (command.type === 'record') after = came(after, agentTalks)
  }
  const wentOn = next.state.menu !== before.menu || next.state.at === 'closing' || next.state.at === 'ended'
  if (menu && wentOn && ownValue(after.answers, menu.name) === 'left') after = answered(after, menu.name, 'none')
  return playsOn(flow, after, next, msOf)
}

/** The trail of a call that ended at `at`: a word for each place, each menu's answer, and where it ended. */
export function trailText(flow: Flow, trail: Trail, end: { state: CallState; at: number; byFarEnd: boolean }): string {
  const last = heardUntil(trail, end.at)
  const answers = Object.entries(last.answers).map(([menu, answer]) => `${menu}=${answer}`)
  return [...last.heard, ...answers, `>${placeOf(flow, last, end)}`].join(' ')
}

/** The last valid key of each menu that got one, from such a text. */
export function keysInTrail(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>()
  for (const word of text.split(' ')) {
    const [, menu, key] = /^(\w+)=([0-9*])$/.exec(word) ?? []
    if (menu !== undefined && key !== undefined) keys.set(menu, key)
  }
  return keys
}

function placeOf(flow: Flow, trail: Trail, end: { state: CallState; at: number; byFarEnd: boolean }): string {
  if (end.state.at === 'dialling') return endings.unknown
  if (end.state.at === 'ended') return endings.end
  if (!end.byFarEnd) return endings.cut
  if (end.state.at === 'waiting') return silenceAfter(flow.menus[end.state.menu]?.name ?? '')
  if (end.state.at === 'ringing') return agentRings
  if (end.state.at === 'talking') return agentTalks
  return begunBy(trail, end.at).at(-1)?.name ?? endings.unknown
}

function begunBy(trail: Trail, at: number): Trail['playing'] {
  let begins = trail.at
  return trail.playing.filter((part, index) => {
    const begun = index === 0 || begins <= at
    begins += part.ms
    return begun
  })
}

function heardUntil(trail: Trail, at: number): Trail {
  let after = trail
  for (const { name, menu } of begunBy(trail, at)) {
    after = came(after, name)
    if (menu !== null && ownValue(after.answers, menu) === undefined) after = answered(after, menu, 'left')
  }
  return after
}

function came(trail: Trail, place: string): Trail {
  return trail.heard.includes(place) ? trail : { ...trail, heard: [...trail.heard, place] }
}

/** A wrong key never replaces a valid one. */
function answered(trail: Trail, menu: string, answer: string): Trail {
  const before = ownValue(trail.answers, menu)
  const keeps = answer === 'wrong' && before !== undefined && !otherAnswers.some((other) => other === before)
  return keeps ? trail : { ...trail, answers: { ...trail.answers, [menu]: answer } }
}

/** A menu's question is the last part played. */
function playsOn(flow: Flow, trail: Trail, { state, commands }: Step, msOf: PartMs): Trail {
  const play = commands.find((command) => command.type === 'play')
  if (!play) return trail
  const menu = state.at === 'asking' ? flow.menus[state.menu] : undefined
  const asksFrom = play.parts.length - (menu?.ask.length ?? 0)
  const playing = play.parts.map((part, index) => ({
    name: partName(part),
    ms: msOf(part),
    menu: menu && index >= asksFrom ? menu.name : null,
  }))
  return { ...trail, playing }
}

export function placesOf(flow: Flow): string[] {
  const names = (parts: readonly Part[]): string[] => parts.map(partName)
  const menus = flow.menus.flatMap((menu) => [
    ...names(menu.ask),
    ...(menu.waitMs > 0 ? [silenceAfter(menu.name)] : []),
    ...(menu.keys.some(({ action }) => action.type === 'agent') ? [agentRings, agentTalks] : []),
    ...menu.keys.flatMap(({ action }) => (action.type === 'agent' ? [] : names(action.say))),
    ...names(menu.wrongInput),
    ...names(menu.noInput),
  ])
  return [...new Set([...names(flow.opening), ...menus, ...names(flow.closing)])]
}
