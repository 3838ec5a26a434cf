import type { CallInsight, MessageInsight } from '@ghanti/contract/insight.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { Suspense } from 'react'
import { Scroll } from '../../components/table/Scroll.tsx'
import { late } from '../../components/ui/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { shownFigure } from './figures.ts'
import classes from './Insight.module.css'
import { bucketsOf, type Bucket } from './series.ts'
import type { ChartLine } from './TimeChart.tsx'

// Contains the library of charts, so it loads when there is something to draw.
const TimeChart = late(() => import('./TimeChart.tsx'))

type CallPoint = CallInsight['series'][number]
type MessagePoint = MessageInsight['series'][number]
type Column<P> = { name: string; label: string; of: (point: P) => string }
type Drawn<P> = { whole: (point: P) => number; part: (point: P) => number; names: readonly [string, string] }

/** `at`: when it was read. */
type OverTimeProps = { at: number } & (
  | { what: 'calls'; answer: CallInsight }
  | { what: 'messages'; answer: MessageInsight }
)

/** Calls or messages of each bucket, compared with the range before: as a chart and as a table. */
export function OverTime({ what, answer, at }: OverTimeProps) {
  const t = useTexts('insight')
  const format = useFormat()
  if (what === 'calls') {
    const { totals, totalsBefore } = answer
    const sentence = t.sentence(
      format.count(totals.attempts),
      shownFigure(totals.asr, 'share', t, format),
      format.count(totalsBefore.attempts),
    )
    const drawn: Drawn<CallPoint> = {
      whole: ({ attempts }) => attempts,
      part: ({ answered }) => answered,
      names: [t.figures.attempts, t.figures.answered],
    }
    const buckets = bucketsOf<CallPoint>(answer, nepalTimeOf(new Date(at)))
    return (
      <Lines
        title={t.overTime.calls}
        sentence={sentence}
        buckets={buckets}
        drawn={drawn}
        columns={callColumns(t, format)}
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
  const buckets = bucketsOf<MessagePoint>(answer, nepalTimeOf(new Date(at)))
  return (
    <Lines
      title={t.overTime.messages}
      sentence={sentence}
      buckets={buckets}
      drawn={drawn}
      columns={messageColumns(t, format)}
    />
  )
}

function callColumns(t: TextsOf<'insight'>, format: Format): Column<CallPoint>[] {
  const { figures } = t
  return [
    { name: 'attempts', label: figures.attempts, of: ({ attempts }) => format.count(attempts) },
    { name: 'answered', label: figures.answered, of: ({ answered }) => format.count(answered) },
    { name: 'asr', label: figures.asr, of: ({ asr }) => shownFigure(asr, 'share', t, format) },
    { name: 'acd', label: figures.acd, of: ({ acd }) => shownFigure(acd, 'seconds', t, format) },
    { name: 'pdd', label: figures.pdd, of: ({ pdd }) => shownFigure(pdd, 'milliseconds', t, format) },
    { name: 'busy', label: figures.busy, of: ({ busy }) => format.count(busy) },
    { name: 'noAnswer', label: figures.noAnswer, of: ({ noAnswer }) => format.count(noAnswer) },
    { name: 'failed', label: figures.failedAll, of: ({ failed }) => format.count(failed) },
    { name: 'keyed', label: figures.keyed, of: ({ keyed }) => format.count(keyed) },
    { name: 'pulses', label: figures.pulses, of: ({ pulses }) => format.count(pulses) },
    { name: 'cost', label: figures.cost, of: ({ cost }) => format.rupees(cost) },
  ]
}

function messageColumns({ figures }: TextsOf<'insight'>, format: Format): Column<MessagePoint>[] {
  return [
    { name: 'messages', label: figures.messages, of: ({ messages }) => format.count(messages) },
    { name: 'accepted', label: figures.accepted, of: ({ accepted }) => format.count(accepted) },
    { name: 'delivered', label: figures.delivered, of: ({ delivered }) => format.count(delivered) },
    { name: 'refused', label: figures.refused, of: ({ refused }) => format.count(refused) },
    { name: 'segments', label: figures.segments, of: ({ segments }) => format.count(segments) },
    { name: 'cost', label: figures.cost, of: ({ cost }) => format.rupees(cost) },
  ]
}

type LinesProps<P extends CallPoint | MessagePoint> = {
  title: string
  sentence: string
  buckets: readonly Bucket<P>[]
  drawn: Drawn<P>
  columns: readonly Column<P>[]
}

function Lines<P extends CallPoint | MessagePoint>({ title, sentence, buckets, drawn, columns }: LinesProps<P>) {
  const t = useTexts('insight')
  const format = useFormat()
  const { whole, part, names } = drawn
  const lines: ChartLine[] = [
    { name: 'whole', label: names[0], color: 'var(--ghanti-running)' },
    { name: 'part', label: names[1], color: 'var(--ghanti-done)' },
    { name: 'before', label: `${names[0]}: ${t.seriesBefore}`, color: 'var(--ghanti-neutral)', isBefore: true },
  ]
  const isOneDay = buckets[0]?.time.slice(0, 10) === buckets.at(-1)?.time.slice(0, 10)
  const data = buckets.map(({ time, now, before, isAhead }) => ({
    time: isOneDay ? format.digits(time.slice(11, 16)) : format.moment(time.slice(0, 16)),
    whole: isAhead ? null : now ? whole(now) : 0,
    part: isAhead ? null : now ? part(now) : 0,
    before: before ? whole(before) : 0,
  }))
  return (
    <section className={classes.part} aria-labelledby="insight-time">
      <h2 id="insight-time">{title}</h2>
      <figure className={classes.chart}>
        <figcaption>{sentence}</figcaption>
        <Suspense fallback={<div className={classes.loading} aria-busy />}>
          <TimeChart data={data} lines={lines} label={t.chartOf(title, sentence)} shown={format.count} />
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
                .filter(({ now, before }) => now ?? before)
                .map(({ time, now, before }) => (
                  <tr key={time}>
                    <th scope="row">{format.moment(time.slice(0, 16))}</th>
                    {columns.map(({ name, of }) => (
                      <td key={name}>{now ? of(now) : t.none}</td>
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
