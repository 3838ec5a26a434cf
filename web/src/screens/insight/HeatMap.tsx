import { shareOf } from '@ghanti/contract/insight-figures.ts'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { Scroll } from '../../components/table/Scroll.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { useFormat, type Format } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { bestHour, levelsOf, type HourOfWeek } from './best-hours.ts'
import { shownFigure } from './figures.ts'
import classes from './HeatMap.module.css'

type HeatMapProps = { hours: readonly HourOfWeek[] }

/**
 * The hours of the week, Sunday first: the fuller a box, the larger the share of calls that was answered. A box is full colour whatever its size, so
 * that each is seen. Hours run down on a phone, where a row of 24 would be too narrow to touch.
 */
export default function HeatMap({ hours }: HeatMapProps) {
  const t = useTexts('insight')
  const format = useFormat()
  const title = useId()
  const isTall = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false }) ?? false
  const best = bestHour(hours)
  const levels = levelsOf(hours)
  const called = hours.filter(({ calls }) => calls > 0)
  // On a phone only the hours between the first and the last call of a day, or the map would be three windows high.
  const from = isTall ? Math.min(23, ...called.map(({ hour }) => hour)) : 0
  const to = isTall ? Math.max(from, ...called.map(({ hour }) => hour)) : 23
  const [chosen, setAt] = useState<number | null>(null)
  const first = best ?? called[0]
  const isShown = chosen !== null && chosen % 24 >= from && chosen % 24 <= to
  const at = isShown ? chosen : first ? indexOf(first) : from
  const grid = useRef<HTMLTableElement>(null)
  const go = (index: number) => {
    setAt(index)
    grid.current?.querySelector<HTMLElement>(`[data-at="${index}"]`)?.focus()
  }
  const [rows, columns] = isTall ? [to - from + 1, 7] : [7, 24]
  const indexAt = (row: number, column: number) => (isTall ? column * 24 + row + from : row * 24 + column)
  const [row, column] = isTall ? [(at % 24) - from, Math.floor(at / 24)] : [Math.floor(at / 24), at % 24]
  const move = (event: KeyboardEvent) => {
    const to = new Map([
      ['ArrowRight', indexAt(row, Math.min(columns - 1, column + 1))],
      ['ArrowLeft', indexAt(row, Math.max(0, column - 1))],
      ['ArrowDown', indexAt(Math.min(rows - 1, row + 1), column)],
      ['ArrowUp', indexAt(Math.max(0, row - 1), column)],
      ['Home', indexAt(row, 0)],
      ['End', indexAt(row, columns - 1)],
    ]).get(event.key)
    if (to === undefined) return
    event.preventDefault()
    go(to)
  }
  const hourHead = (hour: number) => format.digits(String(hour))
  const dayHead = (day: number) => t.best.weekdays[day] ?? ''
  const headOfRow = isTall ? hourHead : dayHead
  const headOfColumn = isTall ? dayHead : hourHead
  const shown = hours[at]
  return (
    <section className={classes.part} aria-labelledby={title}>
      <h2 id={title}>{t.best.title}</h2>
      <p className={classes.said}>
        {best ? t.best.said(whenOf(best, t, format), percentOf(best, t, format)) : t.best.tooFew}
      </p>
      <table
        ref={grid}
        role="grid"
        className={classes.map}
        data-tall={isTall || undefined}
        aria-labelledby={title}
        onKeyDown={move}
      >
        <thead>
          <tr>
            <td />
            {Array.from({ length: columns }, (_, n) => (
              <th key={n} scope="col">
                {headOfColumn(n)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, y) => (
            <tr key={y}>
              <th scope="row">{headOfRow(isTall ? y + from : y)}</th>
              {Array.from({ length: columns }, (__, x) => {
                const index = indexAt(y, x)
                const hour = hours[index]
                return (
                  <td
                    key={index}
                    role="gridcell"
                    tabIndex={index === at ? 0 : -1}
                    data-at={index}
                    data-level={levels[index]}
                    data-best={(best !== null && index === indexOf(best)) || undefined}
                    aria-label={hour && cellText(hour, t, format)}
                    onFocus={() => setAt(index)}
                    onMouseEnter={() => setAt(index)}
                    onClick={() => go(index)}
                  >
                    <i aria-hidden />
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes.read} aria-hidden>
        {shown && cellText(shown, t, format)}
      </p>
      <p className={classes.hint}>{t.best.hint}</p>
      <AsTable hours={hours} labelledBy={title} />
    </section>
  )
}

function AsTable({ hours, labelledBy }: HeatMapProps & { labelledBy: string }) {
  const t = useTexts('insight')
  const format = useFormat()
  return (
    <details className={classes.table}>
      <summary>{t.table}</summary>
      <Scroll className={classes.scroll}>
        <table className={classes.figures} aria-labelledby={labelledBy}>
          <thead>
            <tr>
              <th scope="col">{t.best.hours}</th>
              <th scope="col">{t.figures.attempts}</th>
              <th scope="col">{t.figures.answered}</th>
              <th scope="col">{t.best.share}</th>
            </tr>
          </thead>
          <tbody>
            {hours
              .filter(({ calls }) => calls > 0)
              .map((hour) => (
                <tr key={indexOf(hour)}>
                  <th scope="row">{whenOf(hour, t, format)}</th>
                  <td>{format.count(hour.calls)}</td>
                  <td>{format.count(hour.answered)}</td>
                  <td>{percentOf(hour, t, format)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  )
}

const indexOf = ({ day, hour }: HourOfWeek): number => day * 24 + hour

type Texts = TextsOf<'insight'>

function whenOf({ day, hour }: HourOfWeek, t: Texts, format: Format): string {
  return t.best.hour(t.weekdays[day] ?? '', format.digits(String(hour)), format.digits(String(hour + 1)))
}

function percentOf({ calls, answered }: HourOfWeek, t: Texts, format: Format): string {
  return shownFigure(shareOf(answered, calls), 'share', t, format)
}

function cellText(hour: HourOfWeek, t: Texts, format: Format): string {
  const when = whenOf(hour, t, format)
  if (hour.calls === 0) return t.best.none(when)
  return t.best.cell(when, percentOf(hour, t, format), format.count(hour.answered), format.count(hour.calls))
}
