import { ownValue } from '@ghanti/contract/own-values.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { changeText, labelOf, shownFigure, type Figure } from './figures.ts'
import classes from './Insight.module.css'

type TilesProps<F> = { figures: readonly Figure<F>[]; now: F; before: F }

export function Tiles<F>({ figures, now, before }: TilesProps<F>) {
  const t = useTexts('insight')
  const format = useFormat()
  const meanings: Readonly<Record<string, string>> = t.meanings
  return (
    <dl className={classes.tiles} aria-label={t.overview}>
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
