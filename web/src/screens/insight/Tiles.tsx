import { ownValue } from '@ghanti/contract/own-values.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { changeText, labelOf, shownFigure, type Figure } from './figures.ts'
import classes from './Insight.module.css'

/** `first`: the names of those that stand large above the others; none: all are alike. */
type TilesProps<F> = { figures: readonly Figure<F>[]; first?: readonly string[]; now: F; before: F }

export function Tiles<F>({ figures, first = [], now, before }: TilesProps<F>) {
  const t = useTexts('insight')
  const large = figures.filter(({ name }) => first.includes(name))
  if (large.length === 0) return <List figures={figures} {...{ now, before }} label={t.overview} />
  const rest = figures.filter(({ name }) => !first.includes(name))
  return (
    <div className={classes.overview}>
      <List figures={large} {...{ now, before }} label={t.overview} size="large" />
      <List figures={rest} {...{ now, before }} label={t.further} size="small" />
    </div>
  )
}

type ListProps<F> = Omit<TilesProps<F>, 'first'> & { label: string; size?: 'large' | 'small' }

function List<F>({ figures, now, before, label, size }: ListProps<F>) {
  const t = useTexts('insight')
  const format = useFormat()
  const meanings: Readonly<Record<string, string>> = t.meanings
  return (
    <dl className={classes.tiles} data-size={size} aria-label={label}>
      {figures.map(({ name, unit, of, ...figure }) => (
        <div key={name} className={classes.tile}>
          <dt title={ownValue(meanings, name)}>{labelOf({ name, ...figure }, t)}</dt>
          <dd data-numeric>{shownFigure(of(now), unit, t, format)}</dd>
          <dd className={classes.change}>{changeText(of(now), of(before), unit, t, format)}</dd>
          {ownValue(meanings, name) && <dd className={classes.meaning}>{ownValue(meanings, name)}</dd>}
        </div>
      ))}
    </dl>
  )
}
