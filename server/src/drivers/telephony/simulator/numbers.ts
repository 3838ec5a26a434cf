import type { Random } from '../../../lib/random.ts'

/** What a called telephone, and the network before it, do step by step. `afterMs` counts from the previous step. */
export type Act = { afterMs: number } & (
  | { type: 'ring' }
  | { type: 'progress' }
  | { type: 'answer' }
  | { type: 'press'; digit: string }
  | { type: 'hangUp' }
  | { type: 'refuse'; sipStatus: number; cause: number; retryAfterMs?: number | undefined }
)
export type Script = readonly Act[]

const ring = (): Act => ({ afterMs: 0, type: 'ring' })
const answer = (afterMs: number): Act => ({ afterMs, type: 'answer' })
const hangUp = (afterMs: number): Act => ({ afterMs, type: 'hangUp' })
/** The key is held for 160 ms and reported when it is released. */
const press = (digit: string, afterMs: number): Act => ({ afterMs: afterMs + 160, type: 'press', digit })
/** After the moment that a network needs to refuse. */
const refuse = (sipStatus: number, cause: number, afterMs = 100): Act => ({ afterMs, type: 'refuse', sipStatus, cause })

const answers = [ring(), answer(1000)]
const announcement: Act = { afterMs: 0, type: 'progress' }

/** The virtual operator's numbers by their last two digits. Every other number rings for 1 s, answers and listens. */
const scriptOfSuffix = new Map<string, Script>([
  ['01', [refuse(486, 17)]],
  ['02', [ring(), refuse(480, 19, 120_000)]],
  ['03', [refuse(603, 21)]],
  ['04', [refuse(404, 1)]],
  ['05', [refuse(480, 19)]],
  ['06', [refuse(503, 34)]],
  ['07', [ring(), answer(8000)]],
  ['08', [announcement, refuse(486, 17, 3000)]],
  ['09', [...answers, hangUp(2000)]],
  ...[...'0123456789'].map((key): [string, Script] => [`1${key}`, [...answers, press(key, 2000)]]),
  ...[...'0123456789'].map((key): [string, Script] => [`2${key}`, [...answers, press('9', 2000), press(key, 4000)]]),
  ['30', [...answers, press('*', 2000)]],
  ['31', [...answers, press('#', 2000)]],
  ['32', [...answers, press('1', 2000), press('2', 1840), press('3', 1840)]],
  ['35', [announcement, answer(3000)]],
  ['37', [...answers, hangUp(10_000)]],
  ['38', [refuse(488, 58)]],
  ['39', [refuse(500, 38)]],
  ['40', [refuse(403, 21)]],
  ['42', [refuse(408, 18)]],
  ['43', [refuse(484, 28)]],
  ['45', [refuse(480, 19, 120_000)]],
  ['46', [answer(0)]],
  ['47', [answer(0), hangUp(0)]],
  ['48', [...answers, hangUp(5000)]],
  ['49', [ring(), refuse(503, 34, 3000)]],
])

/**
 * How a trunk can fail: it refuses calls (401, 402, 404, 503), redirects them (302), swallows them, is known to be unreachable so that dial is
 * refused, or has settings that make it unusable, which its state also reports.
 */
export const trunkFaults = [
  'wrongPassword',
  'noCredit',
  'wrongPrefix',
  'redirecting',
  'refusing',
  'silent',
  'unreachable',
  'unusable',
] as const
export type TrunkFault = (typeof trunkFaults)[number]
export type CallFault = Exclude<TrunkFault, 'unreachable' | 'unusable'>

/**
 * What may be wrong with calls that a trunk carries: no key arrives, and its answers contradict themselves about them; no sound comes back; no sound
 * passes; it cuts calls a second after the answer.
 */
export const trunkFlaws = ['keyless', 'oneWay', 'deadAir', 'short'] as const
export type TrunkFlaw = (typeof trunkFlaws)[number]

export function withFlaw(script: Script, flaw: TrunkFlaw | null): Script {
  if (flaw === 'keyless') return script.filter(({ type }) => type !== 'press')
  const answered = script.findIndex(({ type }) => type === 'answer')
  return flaw === 'short' && answered !== -1 ? [...script.slice(0, answered + 1), hangUp(1000)] : script
}

const scriptOfFault: Record<CallFault, Script> = {
  wrongPassword: [refuse(401, 21)],
  noCredit: [refuse(402, 21)],
  wrongPrefix: [refuse(404, 1)],
  redirecting: [refuse(302, 23)],
  refusing: [refuse(503, 34)],
  silent: [],
}

/** A refusal by an operator without capacity for the call. */
export function fullScript(retryAfterMs: number | undefined): Script {
  return [{ afterMs: 100, type: 'refuse', sipStatus: 503, cause: 34, retryAfterMs }]
}

export function scriptOf(number: string, fault: CallFault | null, random: Random | null): Script {
  if (fault) return scriptOfFault[fault]
  const script = scriptOfSuffix.get(number.slice(-2))
  if (!random) return script ?? answers
  return connecting(script && !hasChannelAgain(script, random) ? leaving(script, random) : person(random), random)
}

/** The demo's operators without a channel have one at the next attempt, mostly: a row that met congestion is called up to seven times. */
function hasChannelAgain(script: Script, random: Random): boolean {
  const [first] = script
  return first?.type === 'refuse' && congestedStatuses.has(first.sipStatus) && random() < 0.8
}
const congestedStatuses = new Set([408, 488, 500, 503])

/** In the demo the network takes a moment to find the telephone, as a real one does: insight shows how long (PDD). */
function connecting([first, ...others]: Script, random: Random): Script {
  if (first?.type !== 'ring' && first?.type !== 'progress') return first ? [first, ...others] : []
  return [{ ...first, afterMs: Math.round(800 + random() * 2700) }, ...others]
}

/** Whoever pressed a key hangs up in the end, in the demo: otherwise the first to reach an agent would keep them for an hour. */
function leaving(script: Script, random: Random): Script {
  if (script.at(-1)?.type !== 'press') return script
  return [...script, hangUp(Math.round(30_000 + random() * 90_000))]
}

/** A person of the demo's mixture: about six of ten answer, most of these listen, half press a key, and nobody stays for ever. */
function person(random: Random): Script {
  const between = (from: number, to: number) => Math.round(from + random() * (to - from))
  const fate = random()
  if (fate < 0.08) return [refuse(486, 17, between(300, 2000))]
  if (fate < 0.11) return [ring(), refuse(603, 21, between(2000, 12_000))]
  if (fate < 0.15) return [refuse(480, 19, between(500, 3000))]
  if (fate < 0.17) return [refuse(404, 1, between(300, 1500))]
  if (fate < 0.19) return [refuse(503, 34, between(300, 1500))]
  if (fate < 0.38) return [ring(), refuse(480, 19, 120_000)]
  const picksUp = [ring(), answer(between(2000, 15_000))]
  const mood = random()
  if (mood < 0.2) return [...picksUp, hangUp(between(1000, 8000))]
  if (mood < 0.5) return [...picksUp, hangUp(between(60_000, 120_000))]
  const key = '11111222339'[Math.floor(random() * 11)] ?? '1'
  return [...picksUp, press(key, between(3000, 14_000)), hangUp(between(30_000, 120_000))]
}
