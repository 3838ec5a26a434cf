import type { CallInsight, MessageInsight } from './insight.ts'
import type { Role } from './roles.ts'

export type Unit = 'count' | 'share' | 'seconds' | 'milliseconds' | 'rupees'
/** One figure of calls or messages, as the console and its CSV show it. Its value is null where it is undefined. */
export type Figure<F> = { name: FigureName; unit: Unit; of: (figures: F) => number | null }
export type FigureName = keyof typeof figureWords

/** The English of figures, on screen and in CSV. */
export const figureWords = {
  attempts: 'Calls',
  answered: 'Answered',
  listened: 'Listened',
  asr: 'ASR',
  acd: 'ACD',
  ner: 'NER',
  pdd: 'PDD',
  busy: 'Busy',
  noAnswer: 'No answer',
  failedAll: 'Failed',
  keyed: 'Pressed a key',
  dropped: 'Dropped off',
  pulses: 'Pulses',
  cost: 'Paid by users (Rs)',
  spend: 'Spent (Rs)',
  margin: 'Margin (Rs)',
  messages: 'Messages',
  accepted: 'Accepted',
  delivered: 'Delivered',
  refused: 'Refused',
  segments: 'Segments',
}

type CallFigures = CallInsight['totals']
type MessageFigures = MessageInsight['totals']

/** In per cent, to a tenth; null when the whole is 0. */
export const shareOf = (part: number, whole: number) => (whole === 0 ? null : Math.round((1000 * part) / whole) / 10)

const ofOperators = new Set<FigureName>(['asr', 'acd', 'ner', 'pdd'])
/** Super admins run the lines; customers read how long people listened. */
function readBy<F>(figures: readonly Figure<F>[], role: Role): readonly Figure<F>[] {
  return figures.filter(({ name }) => (role === 'superAdmin' ? name !== 'listened' : !ofOperators.has(name)))
}

/** Figures of a range or of a row, in the order of display; `moneyFigures` follow. */
export const callFiguresFor = (role: Role) => readBy(callFigures, role)
const callFigures: readonly Figure<CallFigures>[] = [
  { name: 'attempts', unit: 'count', of: ({ attempts }) => attempts },
  { name: 'answered', unit: 'count', of: ({ answered }) => answered },
  { name: 'listened', unit: 'seconds', of: ({ acd }) => acd },
  { name: 'asr', unit: 'share', of: ({ asr }) => asr },
  { name: 'acd', unit: 'seconds', of: ({ acd }) => acd },
  { name: 'ner', unit: 'share', of: ({ ner }) => ner },
  { name: 'pdd', unit: 'milliseconds', of: ({ pdd }) => pdd },
  { name: 'busy', unit: 'share', of: ({ busy, attempts }) => shareOf(busy, attempts) },
  { name: 'noAnswer', unit: 'share', of: ({ noAnswer, attempts }) => shareOf(noAnswer, attempts) },
  {
    name: 'failedAll',
    unit: 'share',
    of: ({ attempts, answered, busy, noAnswer }) => shareOf(attempts - answered - busy - noAnswer, attempts),
  },
  { name: 'keyed', unit: 'share', of: ({ keyed, answered }) => shareOf(keyed, answered) },
  { name: 'dropped', unit: 'share', of: ({ dropped, answered }) => shareOf(dropped, answered) },
  { name: 'pulses', unit: 'count', of: ({ pulses }) => pulses },
]
export const messageFigures: readonly Figure<MessageFigures>[] = [
  { name: 'messages', unit: 'count', of: ({ messages }) => messages },
  { name: 'accepted', unit: 'share', of: ({ accepted, messages }) => shareOf(accepted, messages) },
  { name: 'delivered', unit: 'share', of: ({ deliveredShare }) => deliveredShare },
  { name: 'refused', unit: 'count', of: ({ refused }) => refused },
  { name: 'segments', unit: 'count', of: ({ segments }) => segments },
]

type Money = { cost: number; spend: number | null; margin: number | null }
/** Users see what they spent; resellers and the platform see what users paid, and their margin. */
export function moneyFigures<F extends Money>({ spend, margin }: Money): Figure<F>[] {
  return [
    ...(margin === null ? [] : [{ name: 'cost' as const, unit: 'rupees' as const, of: (figures: F) => figures.cost }]),
    ...(spend === null ? [] : [{ name: 'spend' as const, unit: 'rupees' as const, of: (figures: F) => figures.spend }]),
    ...(margin === null
      ? []
      : [{ name: 'margin' as const, unit: 'rupees' as const, of: (figures: F) => figures.margin }]),
  ]
}

/** Figures of a bucket of time. The first one is compared with the bucket before. */
export const callPointFiguresFor = (role: Role) => readBy(callPointFigures, role)
const callPointFigures: readonly Figure<CallInsight['series'][number]>[] = [
  { name: 'attempts', unit: 'count', of: ({ attempts }) => attempts },
  { name: 'answered', unit: 'count', of: ({ answered }) => answered },
  { name: 'listened', unit: 'seconds', of: ({ acd }) => acd },
  { name: 'asr', unit: 'share', of: ({ asr }) => asr },
  { name: 'acd', unit: 'seconds', of: ({ acd }) => acd },
  { name: 'pdd', unit: 'milliseconds', of: ({ pdd }) => pdd },
  { name: 'busy', unit: 'count', of: ({ busy }) => busy },
  { name: 'noAnswer', unit: 'count', of: ({ noAnswer }) => noAnswer },
  { name: 'failedAll', unit: 'count', of: ({ failed }) => failed },
  { name: 'keyed', unit: 'count', of: ({ keyed }) => keyed },
  { name: 'pulses', unit: 'count', of: ({ pulses }) => pulses },
  { name: 'cost', unit: 'rupees', of: ({ cost }) => cost },
]
export const messagePointFigures: readonly Figure<MessageInsight['series'][number]>[] = [
  { name: 'messages', unit: 'count', of: ({ messages }) => messages },
  { name: 'accepted', unit: 'count', of: ({ accepted }) => accepted },
  { name: 'delivered', unit: 'count', of: ({ delivered }) => delivered },
  { name: 'refused', unit: 'count', of: ({ refused }) => refused },
  { name: 'segments', unit: 'count', of: ({ segments }) => segments },
  { name: 'cost', unit: 'rupees', of: ({ cost }) => cost },
]
