import classes from './RouteStepList.module.css'
import { Status, type StatusKind } from '../ui/Status.tsx'

type Step = { id: number; name: string; notes: readonly string[]; is: StatusKind; state: string }

export function RouteStepList({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map(({ id, name, notes, is, state }) => (
        <li key={id}>
          <span>{name}</span>
          {notes.map((note) => (
            <span key={note} className={classes.note}>
              {note}
            </span>
          ))}
          <Status is={is}>{state}</Status>
        </li>
      ))}
    </ol>
  )
}
