import type { RefusedFile } from '@ghanti/contract/refused.ts'
import { useId } from 'react'
import { FewRows, type FewColumn } from '../../../components/table/FewRows.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import classes from './CheckFile.module.css'

type Row = RefusedFile['refused'][number]

/** The first rows of a file that were refused, each with its reason. */
export function RefusedRows({ refused }: { refused: readonly Row[] }) {
  const t = useTexts('contactTable')
  const format = useFormat()
  const title = useId()
  const columns: FewColumn<Row>[] = [
    { key: 'line', header: t.line, cell: ({ line }) => t.lineNumber(format.count(line)) },
    { key: 'text', header: t.text, cell: ({ text }) => text },
    { key: 'reason', header: t.reason, cell: ({ reason }) => serverText(reason) },
  ]
  if (refused.length === 0) return null
  return (
    <div className={classes.refused}>
      <h4 id={title}>{t.refused}</h4>
      <div className={classes.refusedRows} tabIndex={0} role="group" aria-labelledby={title}>
        <FewRows labelledBy={title} columns={columns} rowId={({ line }) => line} rows={refused} stacked />
      </div>
    </div>
  )
}
