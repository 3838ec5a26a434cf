import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import classes from './TestCall.module.css'

export function Refused({ error, labels = {} }: { error: Error; labels?: Readonly<Record<string, string>> }) {
  return (
    <div role="alert" className={classes.refused}>
      {failureTexts(error, labels).helps.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}
