import { nepalTimeOf } from '@ghanti/contract/time.ts'
import { useEffect, useRef } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { Answer } from './week.ts'
import classes from './Calendar.module.css'
import { Chip } from './Chip.tsx'
import { useMoving, type Moving } from './use-moving.ts'
import { closedParts, isClosed, isPast, laneOut, minutesOf, timeOf, wireOf, type Drawn, type Plan } from './plans.ts'

type WeekGridProps = {
  days: Answer['days']
  plans: readonly Plan[]
  now: Date
  canMove: boolean
  /** Opens the list, which has room for all plans. */
  showAll: () => void
  open: (plan: Plan) => void
}

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const firstHour = 6
const share = (minute: number) => `${(minute / 1440) * 100}%`

/** The week by day and hour. Campaigns that have not begun are dragged, or moved by arrow keys. */
export function WeekGrid({ days, plans, now, canMove, showAll, open }: WeekGridProps) {
  const t = useTexts('calendar')
  const format = useFormat()
  const week = days.map(({ day }) => day)
  const mover = useMoving(week)
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const at = scroller.current
    if (at) at.scrollTop = (at.scrollHeight * firstHour) / hours.length
  }, [])
  const today = nepalTimeOf(now)
  const placed = placedIn(week, plans, mover.moving)
  const status = useSaid(mover.moving, mover.said, plans, days, now)
  return (
    <>
      <p role="status" className={classes.said}>
        {status ?? (plans.length > 0 && (canMove ? t.hint : t.hintBelow))}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <div ref={scroller} className={classes.scroller} data-scroller tabIndex={0} role="region" aria-label={t.week}>
        <div className={classes.heads} aria-hidden>
          <span />
          {week.map((day, weekday) => (
            <span key={day} className={classes.head} data-today={day === today.slice(0, 10) || undefined}>
              {t.weekdays[weekday]?.short} <strong>{format.day(day).slice(-2)}</strong>
            </span>
          ))}
        </div>
        <div className={classes.body}>
          <div className={classes.hours} aria-hidden>
            {hours.map((hour) => (
              <span key={hour} style={{ top: share(hour * 60) }}>
                {format.digits(timeOf(hour * 60))}
              </span>
            ))}
          </div>
          <div className={classes.grid} data-grid>
            <div aria-hidden>
              {days.map((day, at) => (
                <Closed key={day.day} day={day} left={at} />
              ))}
              {week.includes(today.slice(0, 10)) && (
                <i
                  className={classes.now}
                  style={{
                    top: share(minutesOf(today.slice(11, 16))),
                    left: `${(week.indexOf(today.slice(0, 10)) / 7) * 100}%`,
                  }}
                />
              )}
            </div>
            <ul className={classes.plans} aria-label={t.campaigns}>
              {placed.drawn.map(({ plan, lane, lanes }) => (
                <li
                  key={plan.key}
                  className={classes.plan}
                  data-moving={mover.moving?.key === plan.key || undefined}
                  data-late={week.indexOf(plan.day) >= 5 || undefined}
                  style={{
                    top: share(plan.minute),
                    left: `${((week.indexOf(plan.day) + lane / lanes) / 7) * 100}%`,
                    width: `${100 / 7 / lanes}%`,
                  }}
                >
                  <Chip
                    plan={plan}
                    original={plans.find(({ key }) => key === plan.key) ?? plan}
                    isPast={mover.moving?.key === plan.key && isPast(plan, now)}
                    isNarrow={lanes > 1}
                    mover={mover}
                    open={open}
                  />
                </li>
              ))}
              {placed.crowds.map(({ day, minute, count }) => (
                <li
                  key={`${day} ${minute}`}
                  className={classes.plan}
                  style={{
                    top: share(minute),
                    left: `${((week.indexOf(day) + 2 / 3) / 7) * 100}%`,
                    width: `${100 / 21}%`,
                  }}
                >
                  <button
                    type="button"
                    className={classes.crowd}
                    onClick={showAll}
                    title={t.crowd(format.count(count))}
                  >
                    <span aria-hidden>+{format.count(count)}</span>
                    <span className={classes.spoken}>
                      {t.crowd(format.count(count))}, {format.time(wireOf({ day, minute }))}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
    </>
  )
}

/** Each day's plans side by side. A plan being moved takes the full width of the day. */
function placedIn(week: readonly string[], plans: readonly Plan[], moving: Moving | null) {
  const laid = week.map((day) => laneOut(plans.filter((plan) => plan.day === day)))
  const drawn: Drawn[] = laid.flatMap((day) => day.drawn)
  return {
    drawn: drawn.map((one) =>
      one.plan.key === moving?.key ? { plan: { ...one.plan, ...moving.to }, lane: 0, lanes: 1 } : one,
    ),
    crowds: laid.flatMap((day) => day.crowds),
  }
}

/** What a screen reader hears of a move, and what everybody reads above the week. */
function useSaid(
  moving: Moving | null,
  said: string | null,
  plans: readonly Plan[],
  days: Answer['days'],
  now: Date,
): string | null {
  const t = useTexts('calendar')
  const format = useFormat()
  if (!moving) return said
  const plan = plans.find(({ key }) => key === moving.key)
  const day = days.find((one) => one.day === moving.to.day)
  if (!plan || !day) return null
  const weekday = t.weekdays[days.indexOf(day)]?.long ?? ''
  const at = t.at(weekday, format.time(wireOf(moving.to)))
  const open = plan.kind === 'messages' ? day.messages : day.calls
  const why = isPast(moving.to, now) ? t.isPast : isClosed(moving.to, open) ? t.isClosed[plan.kind] : ''
  const how = moving.how === 'keys' ? t.keys : ''
  return [`${plan.name}: ${at}.`, why, how].filter(Boolean).join(' ')
}

/** Grey where calls may not begin, and where messages may not: darker where neither may. */
function Closed({ day, left }: { day: Answer['days'][number]; left: number }) {
  return [day.calls, day.messages].flatMap((open, kind) =>
    closedParts(open).map(({ from, to }) => (
      <i
        key={`${kind} ${from}`}
        className={classes.closed}
        style={{ left: `${(left / 7) * 100}%`, top: share(from), height: share(to - from) }}
      />
    )),
  )
}
