import classes from './DashboardScreen.module.css'

export type Figure = {
  label: string
  value: string
  /** Beside the value, smaller: 'of 52'. */
  of?: string | undefined
  note: string
}

/** The page's three figures. */
export function Figures({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl className={classes.cards} aria-label={label}>
      {figures.map((figure) => (
        <div key={figure.label} className={classes.card}>
          <dt>{figure.label}</dt>
          <dd data-numeric>
            {figure.value}
            {figure.of && <small>{figure.of}</small>}
          </dd>
          <dd className={classes.note}>{figure.note}</dd>
        </div>
      ))}
    </dl>
  )
}
