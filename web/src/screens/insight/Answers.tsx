import { bandText, countOfKey, keysShown } from '@ghanti/contract/insight-answers.ts'
import { shareOf } from '@ghanti/contract/insight-figures.ts'
import { leftBefore, type CallInsight, type CallTable, type keypad } from '@ghanti/contract/insight.ts'
import { keyWithName, type KeyLabels } from '@ghanti/contract/key-names.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { Scroll } from '../../components/table/Scroll.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { shownFigure } from './figures.ts'
import { secondsIn } from './answers.ts'
import { CsvLink } from './CsvLink.tsx'
import classes from './Insight.module.css'

type InRange = NonNullable<CallInsight['answers']>

type AnswersProps = { answer: CallInsight; csvOf: (table: CallTable) => string }

/** Keys that were pressed, and how soon people hung up who did not hear everything: as tables with bars and, by day, as a table of figures. */
export default function Answers({ answer, csvOf }: AnswersProps) {
  const t = useTexts('insight')
  const { answers, totals, totalsBefore } = answer
  if (answers === null) return <p className={classes.note}>{t.answers.notKept}</p>
  if (totals.answered === 0 && totalsBefore.answered === 0) return null
  return (
    <>
      <div className={classes.pair}>
        <Keys answers={answers} answer={answer} csvHref={csvOf('keys')} />
        <HungUp answers={answers} answer={answer} csvHref={csvOf('hangUps')} />
      </div>
      {answers.series.length > 0 && <ByDay series={answers.series} answer={answer} csvHref={csvOf('days')} />}
    </>
  )
}

type PartProps = { answers: InRange; answer: CallInsight; csvHref: string }

function Keys({ answers: { now, before }, answer: { totals, keyLabels }, csvHref }: PartProps) {
  const { answers: t } = useTexts('insight')
  const format = useFormat()
  const lines = keysShown([now, before]).map((key) => ({
    name: keyNameText(keyLabels, key, t, format),
    now: countOfKey(now, key),
    before: countOfKey(before, key),
  }))
  const none = { name: t.noKey, now: totals.answered - totals.keyed, before: null, isRest: true }
  return (
    <Bars
      id="insight-keys"
      title={t.keys}
      hint={t.keysHint(format.count(totals.keyed), format.count(totals.answered))}
      lines={lines.length === 0 ? [] : [...lines, none]}
      empty={t.noKeys}
      whole={totals.answered}
      csvHref={csvHref}
    />
  )
}

function HungUp({ answers: { now, before }, answer: { totals }, csvHref }: PartProps) {
  const { answers: t } = useTexts('insight')
  const format = useFormat()
  const lines = leftBefore.map((_, n) => ({
    name: bandText(n, t, secondsIn(format)),
    now: now.left[n]?.count ?? 0,
    before: before.left[n]?.count ?? 0,
    isProblem: true,
  }))
  const rest = { name: t.stayed, now: totals.answered - totals.dropped, before: null, isRest: true }
  return (
    <Bars
      id="insight-left"
      title={t.left}
      hint={t.leftHint(format.count(totals.dropped), format.count(totals.answered))}
      lines={totals.dropped === 0 && lines.every((line) => line.before === 0) ? [] : [...lines, rest]}
      empty={t.noneLeft}
      whole={totals.answered}
      csvHref={csvHref}
    />
  )
}

type Line = { name: string; now: number; before: number | null; isRest?: boolean; isProblem?: boolean }
type BarsProps = {
  id: string
  title: string
  hint: string
  lines: readonly Line[]
  empty: string
  whole: number
  csvHref: string
}

function Bars({ id, title, hint, lines, empty, whole, csvHref }: BarsProps) {
  const t = useTexts('insight')
  const format = useFormat()
  const tone = ({ isRest, isProblem }: Line) => (isRest ? 'rest' : isProblem ? 'problem' : undefined)
  return (
    <section className={classes.part} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {lines.length > 0 && <CsvLink href={csvHref} of={title} />}
      </div>
      <p className={classes.note}>{lines.length === 0 ? empty : hint}</p>
      {lines.length > 0 && (
        <table className={classes.figures} data-bars aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{t.answers.what}</th>
              <th scope="col">{t.figures.attempts}</th>
              <th scope="col">{t.answers.share}</th>
              <th scope="col">{t.seriesBefore}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.name}>
                <th scope="row">
                  {line.name}
                  <svg className={classes.share} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
                    <rect data-tone={tone(line)} width={shareOf(line.now, whole) ?? 0} height="1" />
                  </svg>
                </th>
                <td>{format.count(line.now)}</td>
                <td>{shownFigure(shareOf(line.now, whole), 'share', t, format)}</td>
                <td>{line.before === null ? t.none : format.count(line.before)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function ByDay({ series, answer: { keyLabels }, csvHref }: Pick<InRange, 'series'> & Omit<PartProps, 'answers'>) {
  const t = useTexts('insight')
  const format = useFormat()
  const keys = keysShown(series)
  return (
    <details className={classes.table}>
      <summary>{t.answers.byDay}</summary>
      <Scroll className={classes.scroll}>
        <table className={classes.figures} aria-label={t.answers.byDay}>
          <thead>
            <tr>
              <th scope="col">{t.time}</th>
              {columnsOf(keys, keyLabels, t, format).map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.map((day) => (
              <tr key={day.time}>
                <th scope="row">{format.moment(day.time)}</th>
                {keys.map((key) => (
                  <td key={key}>{format.count(countOfKey(day, key))}</td>
                ))}
                {day.left.map(({ before, count }) => (
                  <td key={before}>{format.count(count)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <CsvLink href={csvHref} of={t.answers.byDay} />
    </details>
  )
}

/** 'Key 1', or '1 (Interested)' where all campaigns call it so. */
function keyNameText(names: KeyLabels, key: string, t: TextsOf<'insight'>['answers'], format: Format): string {
  const digit = format.digits(key)
  return ownValue(names, key) === undefined ? t.key(digit) : keyWithName(names, key, digit)
}

function columnsOf(
  keys: readonly (typeof keypad)[number][],
  names: KeyLabels,
  t: TextsOf<'insight'>,
  format: Format,
): string[] {
  return [
    ...keys.map((key) => keyNameText(names, key, t.answers, format)),
    ...leftBefore.map((_, n) => t.answers.hungUp(bandText(n, t.answers, secondsIn(format)))),
  ]
}
