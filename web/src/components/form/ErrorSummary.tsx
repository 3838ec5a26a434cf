import { useTexts } from '../../i18n/language.ts'
import { fieldText } from '../ui/failures/failure-texts.ts'
import classes from './ErrorSummary.module.css'
import type { Form } from './field.ts'
import { faultsOf } from './faults.ts'
import { show } from './server-errors.ts'

type ErrorSummaryProps<Values> = {
  form: Pick<Form<Values>, 'errors' | 'getInputNode'>
  /** By form name, in the form's order. */
  labels: Readonly<Record<string, string>>
  /** Brings a field's part of the form on screen, where the form does not show all of its parts. The field gets the focus afterwards. */
  onOpen?: (name: string) => void
}

/** Above a form's button: every field's error, each a link to its field. Empty while there is none. */
export function ErrorSummary<Values>({ form, labels, onOpen }: ErrorSummaryProps<Values>) {
  const { dialog: t } = useTexts('common')
  const faults = faultsOf(form.errors, labels)
  if (faults.length === 0) return null
  return (
    <section className={classes.summary} aria-label={t.error}>
      <ul>
        {faults.map(({ name, label, text }) => (
          <li key={name}>
            <a
              href={`#${name}`}
              onClick={(event) => {
                event.preventDefault()
                onOpen?.(name)
                requestAnimationFrame(() => show(form.getInputNode(name)))
              }}
            >
              {fieldText(label, text)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
