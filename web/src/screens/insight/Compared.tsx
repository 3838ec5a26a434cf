import { ownValue } from '@ghanti/contract/own-values.ts'
import { singleCallLabels } from '@ghanti/contract/insight.ts'
import { Suspense } from 'react'
import { late } from '../../components/ui/loading/late.tsx'
import { serverText, useTexts } from '../../i18n/language.ts'
import type { Figure } from './figures.ts'
import classes from './Insight.module.css'

const Rows = late(() => import('./Rows.tsx'))

type ComparedProps<F> = {
  answer: { of: string | null; rows: readonly (F & { key: string; label: string })[]; rowsLeftOut: number }
  figures: readonly Figure<F>[]
  csvHref: string
}

export function Compared<F>({ answer, figures, csvHref }: ComparedProps<F>) {
  const t = useTexts('insight')
  const { of, rows, rowsLeftOut } = answer
  if (of === null) return null
  const fixed: Readonly<Record<string, string>> = of === 'operator' ? t.operators : of === 'template' ? t.templates : {}
  return (
    <Suspense fallback={<div className={classes.loading} aria-busy />}>
      <Rows
        title={t.most(t.dimensions[of as keyof typeof t.dimensions])}
        rows={rows.map((row) => ({
          key: row.key,
          name:
            ownValue(fixed, row.key) ??
            (of === 'campaign' && ownValue(singleCallLabels, row.key) !== undefined
              ? serverText(row.label)
              : row.label),
          values: figures.map((figure) => figure.of(row)),
        }))}
        figures={figures}
        leftOut={rowsLeftOut}
        csvHref={csvHref}
      />
    </Suspense>
  )
}
