import { answerWords, bandText, countOfKey, keysShown } from '@ghanti/contract/insight-answers.ts'
import { bucketsOf, type Bucket } from '@ghanti/contract/insight-buckets.ts'
import {
  callFiguresFor,
  callPointFiguresFor,
  figureWords,
  messageFigures,
  messagePointFigures,
  moneyFigures,
  shareOf,
  type Figure,
  type Unit,
} from '@ghanti/contract/insight-figures.ts'
import {
  leftBefore,
  type Answers,
  type CallInsight,
  type CallTable,
  type Grain,
  type MessageInsight,
  type MessageTable,
} from '@ghanti/contract/insight.ts'
import { hasNames } from '@ghanti/contract/key-names.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { operatorLabel, type Operator } from '@ghanti/contract/operators.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { badField } from '../../errors.ts'
import { rupeesCell, type CsvCell } from '../../lib/csv.ts'

export type CsvTable = { header: string[]; lines: CsvCell[][] }

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const headingOf: Readonly<Record<Unit, string>> = {
  count: '',
  share: ' (%)',
  seconds: ' (s)',
  milliseconds: ' (s)',
  rupees: '', // figureWords say '(Rs)'
}
const before = 'Before'

function headerOf<F>(figures: readonly Figure<F>[]): string[] {
  return figures.map(({ name, unit }) => figureWords[name] + headingOf[unit])
}

function cellOf(value: number | null, unit: Unit): CsvCell {
  if (value === null) return null
  if (unit === 'rupees') return rupeesCell(value)
  return unit === 'milliseconds' ? value / 1000 : value
}

type Point = CallInsight['series'][number] | MessageInsight['series'][number]

function timeTable<P extends Point>(
  by: Grain,
  buckets: readonly Bucket<P>[],
  figures: readonly Figure<P>[],
  whole: (point: P) => number,
): CsvTable {
  const named = figures[0] ? figureWords[figures[0].name] : ''
  return {
    header: [...(by === 'weekday' ? ['Day', 'Hour'] : ['Time']), ...headerOf(figures), `${named}: ${before}`],
    lines: buckets
      .filter((bucket) => bucket.now ?? bucket.before)
      .map((bucket) => [
        ...timeCells(by, bucket.time),
        ...figures.map(({ unit, of }) => (bucket.now ? cellOf(of(bucket.now), unit) : null)),
        bucket.before ? whole(bucket.before) : null,
      ]),
  }
}

function timeCells(by: Grain, time: string): CsvCell[] {
  if (by !== 'weekday') return [time.slice(0, 16)]
  const [day = 0, hour = 0] = time.split(' ').map(Number)
  return [weekdays[day] ?? '', hour]
}

type Rows<F> = { of: string | null; rows: readonly (F & { key: string; label: string })[] }

function rowsTable<F>({ of, rows }: Rows<F>, figures: readonly Figure<F>[]): CsvTable {
  if (of === null) throw badField('of', 'must say what the rows are of')
  const nameOf = (key: string, label: string) => (of === 'operator' ? operatorLabel[key as Operator] : label)
  return {
    header: ['Name', ...headerOf(figures)],
    lines: rows.map((row) => [
      nameOf(row.key, row.label),
      ...figures.map((figure) => cellOf(figure.of(row), figure.unit)),
    ]),
  }
}

const band = (n: number) => bandText(n, answerWords, String)

/** Further columns of rows: each key that occurs, and each band if anybody hung up. Null where these are not kept. */
function withAnswers({ header, lines }: CsvTable, rows: readonly { answers: Answers | null }[]): CsvTable {
  const answers = rows.flatMap((row) => row.answers ?? [])
  const keys = keysShown(answers)
  const bands = answers.some(({ left }) => left.some(({ count }) => count > 0)) ? leftBefore : []
  return {
    header: [...header, ...keys.map(answerWords.key), ...bands.map((_, n) => answerWords.hungUp(band(n)))],
    lines: lines.map((line, n) => {
      const of = rows[n]?.answers ?? null
      return [
        ...line,
        ...keys.map((key) => of && countOfKey(of, key)),
        ...bands.map((_, at) => of && (of.left[at]?.count ?? 0)),
      ]
    }),
  }
}

type InRange = NonNullable<CallInsight['answers']>

/** Counts with their shares of the answered calls. The rest, which no counter keeps, has no count before. */
function sharesTable(counted: [name: string, now: number, before: number | null][], answered: number): CsvTable {
  return {
    header: [answerWords.what, figureWords.attempts, `${answerWords.share} (%)`, before],
    lines: counted.map(([name, now, earlier]) => [name, now, shareOf(now, answered), earlier]),
  }
}

/** With a column of names where the keys have any. */
function keysTable(
  { now, before: earlier }: InRange,
  { totals: { answered, keyed }, keyLabels }: Pick<CallInsight, 'totals' | 'keyLabels'>,
): CsvTable {
  const keys = keysShown([now, earlier])
  const table = sharesTable(
    [
      ...keys.map((key): [string, number, number] => [
        answerWords.key(key),
        countOfKey(now, key),
        countOfKey(earlier, key),
      ]),
      [answerWords.noKey, answered - keyed, null],
    ],
    answered,
  )
  if (!hasNames(keyLabels)) return table
  const [what = '', ...header] = table.header
  const named = (of: CsvCell[], name: CsvCell) => [of[0] ?? null, name, ...of.slice(1)]
  const nameAt = (n: number) => ownValue(keyLabels, keys[n] ?? '') ?? null
  return { header: [what, 'Name', ...header], lines: table.lines.map((line, n) => named(line, nameAt(n))) }
}

function hangUpsTable({ now, before: earlier }: InRange, { answered, dropped }: CallInsight['totals']): CsvTable {
  return sharesTable(
    [
      ...leftBefore.map((_, n): [string, number, number] => [
        band(n),
        now.left[n]?.count ?? 0,
        earlier.left[n]?.count ?? 0,
      ]),
      [answerWords.stayed, answered - dropped, null],
    ],
    answered,
  )
}

function daysTable({ series }: InRange): CsvTable {
  const keys = keysShown(series)
  return {
    header: ['Time', ...keys.map(answerWords.key), ...leftBefore.map((_, n) => answerWords.hungUp(band(n)))],
    lines: series.map((day) => [
      day.time,
      ...keys.map((key) => countOfKey(day, key)),
      ...leftBefore.map((_, n) => day.left[n]?.count ?? 0),
    ]),
  }
}

/** With the figures that a reader of this role has on screen. */
export function callTable(answer: CallInsight, table: CallTable, role: Role): CsvTable {
  const { answers, totals } = answer
  if (table === 'time')
    return timeTable(answer.by, bucketsOf(answer), callPointFiguresFor(role), ({ attempts }) => attempts)
  if (table === 'rows')
    return withAnswers(
      rowsTable(answer, [...callFiguresFor(role), ...moneyFigures<CallInsight['totals']>(totals)]),
      answer.rows,
    )
  if (answers === null) throw badField('table', 'is not kept for these filters')
  if (table === 'keys') return keysTable(answers, answer)
  return table === 'hangUps' ? hangUpsTable(answers, totals) : daysTable(answers)
}

export function messageTable(answer: MessageInsight, table: MessageTable): CsvTable {
  return table === 'time'
    ? timeTable(answer.by, bucketsOf(answer), messagePointFigures, ({ messages }) => messages)
    : rowsTable(answer, [...messageFigures, ...moneyFigures<MessageInsight['totals']>(answer.totals)])
}
