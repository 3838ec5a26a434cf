import { trunkSymptomKinds, type TrunkSymptomKind } from '@ghanti/contract/alerts.ts'
import type { RtpFigures } from '../../../drivers/telephony/driver.ts'

/** What calls of some hours said of their trunk; the columns of trunk_symptom. */
export type SymptomCounts = {
  answered: number
  short: number
  asked: number
  keyed: number
  sampled: number
  one_way: number
  dead: number
  described: number
  contradicted: number
}

export const noSymptoms: SymptomCounts = {
  answered: 0,
  short: 0,
  asked: 0,
  keyed: 0,
  sampled: 0,
  one_way: 0,
  dead: 0,
  described: 0,
  contradicted: 0,
}

const shortMs = 3000

/**
 * When a trunk is said to have the fault: `bad` of `of` calls, at least `least` of them within two hours (and a quarter of that in the present one), are
 * at least this ratio. Menus that are heard to the end get a key from a call in twenty where nothing is wrong; none in two hundred is no chance.
 */
const rules: Record<
  TrunkSymptomKind,
  { of: keyof SymptomCounts; bad(counts: SymptomCounts): number; least: number; ratio: number }
> = {
  no_keys: { of: 'asked', bad: ({ asked, keyed }) => asked - keyed, least: 200, ratio: 1 },
  one_way_sound: { of: 'sampled', bad: ({ one_way }) => one_way, least: 8, ratio: 0.3 },
  dead_air: { of: 'sampled', bad: ({ dead }) => dead, least: 8, ratio: 0.3 },
  short_calls: { of: 'answered', bad: ({ short }) => short, least: 50, ratio: 0.5 },
  contradicting_answers: { of: 'described', bad: ({ contradicted }) => contradicted, least: 8, ratio: 0.3 },
}

/** What an alert says, with the figures of up to two hours. */
export const symptomWords = {
  no_keys: (_: number, calls: number) => `no key came in ${calls} calls that heard a menu`,
  one_way_sound: (bad: number, calls: number) => `${bad} of ${calls} sampled calls had sound one way only`,
  dead_air: (bad: number, calls: number) => `${bad} of ${calls} sampled calls had no sound`,
  short_calls: (bad: number, calls: number) => `${bad} of ${calls} answered calls were hung up within 3 s`,
  contradicting_answers: (bad: number, calls: number) =>
    `${bad} of ${calls} calls had answers that contradict themselves`,
} satisfies Record<TrunkSymptomKind, (bad: number, calls: number) => string>

/** `raised` with what the alert says; `over`: enough calls of the present hour are good. Other kinds: too few calls to tell. */
export type Told = { raised: ReadonlyMap<TrunkSymptomKind, string>; over: readonly TrunkSymptomKind[] }

export function toldBy(hour: SymptomCounts, before: SymptomCounts, contradiction: string | null): Told {
  const both = added(hour, before)
  const raised = new Map<TrunkSymptomKind, string>()
  const over: TrunkSymptomKind[] = []
  for (const kind of trunkSymptomKinds) {
    const { of, bad, least, ratio } = rules[kind]
    const isBad = (counts: SymptomCounts): boolean => counts[of] > 0 && bad(counts) >= ratio * counts[of]
    if (both[of] >= least && hour[of] >= least / 4 && isBad(both) && isBad(hour)) {
      const isAboutKeys = kind === 'no_keys' || kind === 'contradicting_answers'
      const why = isAboutKeys && contradiction !== null ? `: ${contradiction}` : ''
      raised.set(kind, symptomWords[kind](bad(both), both[of]) + why)
    } else if (hour[of] >= least && !isBad(hour)) over.push(kind)
  }
  return { raised, over }
}

export function added(one: SymptomCounts, other: Partial<SymptomCounts>): SymptomCounts {
  const names = Object.keys(noSymptoms) as (keyof SymptomCounts)[]
  return Object.fromEntries(names.map((name) => [name, one[name] + (other[name] ?? 0)])) as SymptomCounts
}

/** Of an answered call. `billMs`: how long it lasted. `trail`: as in callflow/trail.ts; its `menu=…` is 'left' where the callee did not wait. */
export function symptomsOfCall(call: {
  billMs: number
  byFarEnd: boolean
  trail: string | null
}): Partial<SymptomCounts> {
  const words = (call.trail ?? '').split(' ')
  const answers = words.flatMap((word) => (word.includes('=') ? [word.slice(word.indexOf('=') + 1)] : []))
  const keyed = answers.some((answer) => answer !== 'none' && answer !== 'left')
  const waited = keyed || answers.includes('none') || words.some((word) => word.startsWith('>') && word.endsWith('?'))
  return {
    answered: 1,
    short: Number(call.byFarEnd && call.billMs < shortMs),
    asked: Number(waited),
    keyed: Number(keyed),
  }
}

/**
 * Of a call that has been up for some seconds, during which the dialer sends sound. Without a report of the far end nobody knows whether its telephone
 * hears us: then no incoming sound is dead air, and incoming sound is good.
 */
export function symptomsOfSound({ received, sent, sentPackets }: RtpFigures): Partial<SymptomCounts> {
  const hears = received.packets > 0
  const isHeard = sentPackets > 0 && (sent === null ? null : sent.lost < sent.packets)
  const oneWay = hears ? isHeard === false : isHeard === true
  return { sampled: 1, one_way: Number(oneWay), dead: Number(!hears && isHeard !== true) }
}
