import { planRoutes, type PlanRow } from '@ghanti/contract/plans.ts'
import { useWrite } from '../../api/query.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './Plans.module.css'

/** Sends the opposite of what is shown (specification 2 §4), and waits until the list confirms it. */
export function PlanSwitch({ plan }: { plan: PlanRow }) {
  const t = useTexts('plans')
  const change = useWrite(planRoutes.setStatus, [planRoutes.list, planRoutes.choices])
  const on = plan.planStatus === 1
  const flip = () =>
    change.mutate(
      { input: { planId: plan.planId, planStatus: on ? 0 : 1 } },
      { onError: (error) => showFailure(error, t.fields) },
    )
  return (
    <button
      type="button"
      role="switch"
      className={classes.switch}
      aria-checked={on}
      aria-label={t.offer(plan.planName)}
      disabled={change.isPending}
      onClick={flip}
    >
      <span className={classes.track} aria-hidden />
      <span>{on ? t.enabled : t.disabled}</span>
    </button>
  )
}
