import classes from './Failure.module.css'
import { failureTexts } from './failure-texts.ts'

/** Inside a form: an error that belongs to no field. */
export function Failed({ error, labels }: { error: unknown; labels: Readonly<Record<string, string>> }) {
  const { message, details } = failureTexts(error, labels)
  return (
    <div role="alert" className={classes.failed}>
      <p>{message}</p>
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
    </div>
  )
}
