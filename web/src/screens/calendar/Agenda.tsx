import { nepalDayOf } from '@ghanti/contract/time.ts'
import { useSession } from '../../api/session.ts'
import { Status } from '../../components/ui/Status.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { Answer } from './week.ts'
import classes from './Calendar.module.css'
import { KindIcon, stateText, toneOfPlan } from './Chip.tsx'
import { closedParts, timeOf, type Hours, type Plan } from './plans.ts'

type AgendaProps = { days: Answer['days']; plans: readonly Plan[]; now: Date; open: (plan: Plan) => void }

export function Agenda({ days, plans, now, open }: AgendaProps) {
  const t = useTexts('calendar')
  const format = useFormat()
  const today = nepalDayOf(now)
  const opening = (hours: Hours) => hours && format.digits(`${hours.from}–${hours.to}`)
  return days.map(({ day, calls, messages }, weekday) => {
    const ofDay = plans.filter((plan) => plan.day === day)
    return (
      <section key={day} className={classes.day} aria-labelledby={`day-${day}`}>
        <h2 id={`day-${day}`} data-today={day === today || undefined}>
          {t.weekdays[weekday]?.long} <span>{format.day(day)}</span>
          {day === today && <small>{t.today}</small>}
        </h2>
        {!(isAlways(calls) && isAlways(messages)) && (
          <p className={classes.open}>{t.open(opening(calls), opening(messages))}</p>
        )}
        {ofDay.length === 0 ? (
          <p className={classes.empty}>{t.nothing}</p>
        ) : (
          <ul className={classes.rows}>
            {ofDay.map((plan) => (
              <li key={plan.key}>
                <Row plan={plan} time={format.digits(timeOf(plan.minute))} open={open} />
              </li>
            ))}
          </ul>
        )}
      </section>
    )
  })
}

const isAlways = (hours: Hours) => hours !== null && closedParts(hours).length === 0

/** `time`: the text for the time, with the day unless a heading above shows it. */
export function Row({ plan, time, open }: { plan: Plan; time: string; open: (plan: Plan) => void }) {
  const t = useTexts('calendar')
  const { role } = useSession()
  return (
    <button type="button" className={classes.row} onClick={() => open(plan)}>
      <span data-numeric>{time}</span>
      <span className={classes.name}>
        <KindIcon kind={plan.kind} /> <span className={classes.spoken}>{t.kinds[plan.kind]} </span>
        {plan.name}
        {role !== 'user' && <small>{plan.owner}</small>}
      </span>
      <Status is={toneOfPlan(plan)}>{stateText(plan, t)}</Status>
    </button>
  )
}
