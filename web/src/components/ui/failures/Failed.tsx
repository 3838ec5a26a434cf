import classes from './Failure.module.css'
import { failureTexts } from './failure-texts.ts'

/** Inside a form: an error that belongs to no field. */
export function Failed({ error, labels }: { error: unknown; labels: Readonly<Record<string, string>> }) {
  return (
    <div role="alert" className={classes.failed}>
      {failureTexts(error, labels).helps.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
