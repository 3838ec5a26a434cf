import { Link, useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Agenda, Row } from './Agenda.tsx'
import type { Answer, View } from './week.ts'
import classes from './Calendar.module.css'
import { Opened } from './Opened.tsx'
import { closedParts, planOf, plansOf, wireOf, type Plan } from './plans.ts'
import { WeekGrid } from './WeekGrid.tsx'

type WeekProps = { answer: Answer; view: View; now: Date; showAll: () => void }

export default function Week({ answer, view, now, showAll }: WeekProps) {
  const t = useTexts('calendar')
  const format = useFormat()
  const { role } = useSession()
  const navigate = useNavigate()
  const plans = plansOf(answer, role)
  // Dialogs are rendered outside of the router and the session.
  const open = (plan: Plan) => {
    const go = (path: string) => void navigate(path)
    showDialog({ title: plan.name, render: (close) => <Opened plan={plan} role={role} go={go} close={close} /> })
  }
  const { days, more } = answer
  const isClosedAtAll = days.some((day) => [day.calls, day.messages].some((open) => closedParts(open).length > 0))
  const unfinished = answer.unfinished.map((item) => planOf(item, role))
  const range = `${days[0]?.day ?? ''}..${days.at(-1)?.day ?? ''}`
  return (
    <>
      <Unfinished items={unfinished} open={open} />
      {plans.length === 0 && <NothingPlanned isOwn={role === 'user'} />}
      {view === 'week' ? (
        <WeekGrid days={days} plans={plans} now={now} canMove={role === 'user'} showAll={showAll} open={open} />
      ) : (
        <Agenda days={days} plans={plans} now={now} open={open} />
      )}
      {view === 'week' && isClosedAtAll && <p className={classes.legend}>{t.legend}</p>}
      {more > 0 && (
        <p>
          <Link to={`/voice-campaign-summary?scheduled=${range}`}>{t.more(format.count(more))}</Link>
        </p>
      )}
    </>
  )
}

function NothingPlanned({ isOwn }: { isOwn: boolean }) {
  const t = useTexts('calendar')
  return (
    <p className={classes.none}>
      {isOwn ? t.none : t.noneBelow}{' '}
      <Link to={isOwn ? '/add-voice-campaign' : '/voice-campaign-summary'}>{isOwn ? t.compose : t.seeAll}</Link>
    </p>
  )
}

/** Plans that began before the week and are not over. */
function Unfinished({ items, open }: { items: readonly Plan[]; open: (plan: Plan) => void }) {
  const t = useTexts('calendar')
  const format = useFormat()
  if (items.length === 0) return null
  return (
    <details className={classes.before}>
      <summary>{t.unfinished(format.count(items.length))}</summary>
      <ul className={classes.rows}>
        {items.map((plan) => (
          <li key={plan.key}>
            <Row plan={plan} time={format.time(wireOf(plan))} open={open} />
          </li>
        ))}
      </ul>
    </details>
  )
}
