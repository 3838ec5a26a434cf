import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import type { StepName } from './steps.ts'
import classes from './Steps.module.css'
import { useStepInView } from './step-in-view.ts'

type StepBarProps = {
  /** In the order of the page. */
  order: readonly StepName[]
  /** The form's errors, by field, and the step of each. */
  errors: Readonly<Record<string, unknown>>
  stepOf: (field: string) => StepName
  /** What each step holds so far, in a few words; empty: nothing yet. */
  said: Readonly<Record<StepName, string>>
  /** Steps that need nothing more. */
  done: ReadonlySet<StepName>
}

/** The steps of the form. Each can be gone to at any time, and says what it holds and what is to be corrected in it. */
export function StepBar({ order, errors, stepOf, said, done }: StepBarProps) {
  const { steps: t } = useTexts('compose')
  const format = useFormat()
  const [inView, goTo] = useStepInView(order)
  const wrong = Object.entries(errors).flatMap(([field, text]) => (text ? [stepOf(field)] : []))
  return (
    <nav className={classes.bar} aria-label={t.label}>
      <ol>
        {order.map((step, index) => {
          const faults = wrong.filter((one) => one === step).length
          const text = faults > 0 ? t.faults(format.count(faults)) : said[step]
          const isDone = faults === 0 && done.has(step)
          return (
            <li key={step}>
              <button
                type="button"
                aria-current={step === inView ? 'step' : undefined}
                data-wrong={faults > 0 || undefined}
                data-done={isDone || undefined}
                onClick={() => goTo(step)}
              >
                <span className={classes.mark} aria-hidden>
                  {faults > 0 && <IconAlertTriangle size={15} />}
                  {isDone && <IconCheck size={15} stroke={2.2} />}
                  {faults === 0 && !isDone && format.count(index + 1)}
                </span>
                <span className={classes.name}>{t.names[step]}</span>
                <small className={classes.said} title={text}>
                  {text}
                </small>
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
