import { useTexts } from '../../i18n/language.ts'
import { fieldText } from '../ui/failures/failure-texts.ts'
import type { ErrorSummaryProps } from './ErrorSummary.tsx'
import classes from './ErrorSummary.module.css'
import { faultsOf } from './faults.ts'
import { show } from './server-errors.ts'

export default function ListedErrors({ form, labels, onOpen }: ErrorSummaryProps) {
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
