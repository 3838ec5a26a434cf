import { bucketsOf, type Bucket } from '@ghanti/contract/insight-buckets.ts'
import { callPointFiguresFor, messagePointFigures, shareOf, type Figure } from '@ghanti/contract/insight-figures.ts'
import type { CallInsight, MessageInsight } from '@ghanti/contract/insight.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { Suspense } from 'react'
import { useSession } from '../../api/session.ts'
import { Scroll } from '../../components/table/Scroll.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { CsvLink } from './CsvLink.tsx'
import { shownFigure } from './figures.ts'
import classes from './Insight.module.css'
import { isAhead } from './series.ts'
import type { ChartLine } from './TimeChart.tsx'

// Contains the library of charts, so it loads when there is something to draw.
const TimeChart = late(() => import('./TimeChart.tsx'))

type CallPoint = CallInsight['series'][number]
type MessagePoint = MessageInsight['series'][number]
type Column<P> = { name: string; label: string; of: (point: P) => string }
type Drawn<P> = { whole: (point: P) => number; part: (point: P) => number; names: readonly [string, string] }

/** `at`: when it was read. */
type OverTimeProps = { at: number; csvHref: string } & (
  | { what: 'calls'; answer: CallInsight }
  | { what: 'messages'; answer: MessageInsight }
)

export function OverTime({ what, answer, at, csvHref }: OverTimeProps) {
  const t = useTexts('insight')
  const format = useFormat()
  const { role } = useSession()
  const now = nepalTimeOf(new Date(at))
  if (what === 'calls') {
    const { totals, totalsBefore } = answer
    const sentence = t.sentence(
      format.count(totals.attempts),
      // Customers see the calls that this is a share of.
      shownFigure(role === 'superAdmin' ? totals.asr : shareOf(totals.answered, totals.attempts), 'share', t, format),
      format.count(totalsBefore.attempts),
    )
    const drawn: Drawn<CallPoint> = {
      whole: ({ attempts }) => attempts,
      part: ({ answered }) => answered,
      names: [t.figures.attempts, t.figures.answered],
    }
    const buckets = bucketsOf<CallPoint>(answer)
    return (
      <Lines
        title={t.overTime.calls}
        sentence={sentence}
        buckets={buckets}
        now={now}
        csvHref={csvHref}
        drawn={drawn}
        columns={columnsOf(callPointFiguresFor(role), t, format)}
      />
    )
  }
  const { totals, totalsBefore } = answer
  const sentence = t.messagesSentence(
    format.count(totals.messages),
    shownFigure(totals.deliveredShare, 'share', t, format),
    format.count(totalsBefore.messages),
  )
  const drawn: Drawn<MessagePoint> = {
    whole: ({ messages }) => messages,
    part: ({ delivered }) => delivered,
    names: [t.figures.messages, t.figures.delivered],
  }
  const buckets = bucketsOf<MessagePoint>(answer)
  return (
    <Lines
      title={t.overTime.messages}
      sentence={sentence}
      buckets={buckets}
      now={now}
      csvHref={csvHref}
      drawn={drawn}
      columns={columnsOf(messagePointFigures, t, format)}
    />
  )
}

function columnsOf<P>(figures: readonly Figure<P>[], t: TextsOf<'insight'>, format: Format): Column<P>[] {
  return figures.map(({ name, unit, of }) => ({
    name,
    label: t.figures[name],
    of: (point) => shownFigure(of(point), unit, t, format),
  }))
}

const barsMax = 14
/** Few days are compared one with another; of many the course is seen. */
const isFewDays = (buckets: readonly { time: string }[]): boolean =>
  buckets.length <= barsMax && buckets.every(({ time }) => time.length === 'yyyy-MM-dd'.length)

type LinesProps<P extends CallPoint | MessagePoint> = {
  title: string
  sentence: string
  buckets: readonly Bucket<P>[]
  /** Nepal time. */
  now: string
  csvHref: string
  drawn: Drawn<P>
  columns: readonly Column<P>[]
}

function Lines<P extends CallPoint | MessagePoint>({
  title,
  sentence,
  buckets,
  now,
  csvHref,
  drawn,
  columns,
}: LinesProps<P>) {
  const t = useTexts('insight')
  const format = useFormat()
  const { whole, part, names } = drawn
  const lines: ChartLine[] = [
    { name: 'whole', label: names[0], color: 'var(--running)' },
    { name: 'part', label: names[1], color: 'var(--done)' },
    { name: 'before', label: `${names[0]}: ${t.seriesBefore}`, color: 'var(--neutral)', isBefore: true },
  ]
  const areBars = isFewDays(buckets)
  const isOneDay = buckets[0]?.time.slice(0, 10) === buckets.at(-1)?.time.slice(0, 10)
  const data = buckets.map(({ time, now: point, before }) => ({
    time: isOneDay ? format.digits(time.slice(11, 16)) : format.moment(time.slice(0, 16)),
    whole: isAhead(time, now) ? null : point ? whole(point) : 0,
    part: isAhead(time, now) ? null : point ? part(point) : 0,
    before: before ? whole(before) : 0,
  }))
  return (
    <section className={classes.part} aria-labelledby="insight-time">
      <div className={classes.head}>
        <h2 id="insight-time">{title}</h2>
        <CsvLink href={csvHref} of={title} />
      </div>
      <figure className={classes.chart}>
        <figcaption>{sentence}</figcaption>
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <TimeChart
            data={data}
            lines={lines}
            areBars={areBars}
            label={t.chartOf(title, sentence)}
            shown={format.count}
          />
        </Suspense>
      </figure>
      <details className={classes.table}>
        <summary>{t.table}</summary>
        <Scroll className={classes.scroll}>
          <table className={classes.figures} aria-labelledby="insight-time">
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                {columns.map(({ name, label }) => (
                  <th key={name} scope="col">
                    {label}
                  </th>
                ))}
                <th scope="col">{lines[2]?.label}</th>
              </tr>
            </thead>
            <tbody>
              {buckets
                .filter((bucket) => bucket.now ?? bucket.before)
                .map(({ time, now: point, before }) => (
                  <tr key={time}>
                    <th scope="row">{format.moment(time.slice(0, 16))}</th>
                    {columns.map(({ name, of }) => (
                      <td key={name}>{point ? of(point) : t.none}</td>
                    ))}
                    <td>{before ? format.count(whole(before)) : t.none}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  )
}
