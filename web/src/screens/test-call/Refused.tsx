import { failureTexts } from '../../components/ui/failure-texts.ts'
import classes from './TestCall.module.css'

/** The server's refusal, inside the form. */
export function Refused({ error, labels = {} }: { error: Error; labels?: Readonly<Record<string, string>> }) {
  const { message, details } = failureTexts(error, labels)
  return (
    <div role="alert" className={classes.refused}>
      <p>{message}</p>
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
    </div>
  )
}
