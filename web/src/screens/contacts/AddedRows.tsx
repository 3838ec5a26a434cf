import type { contactRoutes } from '@ghanti/contract/contacts.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { saveAs } from '../../api/download.ts'
import { FewRows, type FewColumn } from '../../components/table/FewRows.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './ContactFiles.module.css'
import { DateOrders } from './date-orders.ts'
import { MoreNumbers } from './MoreNumbers.tsx'

type Result = ReplyOf<typeof contactRoutes.add>
type Refused = Result['refused'][number]
const shownRows = 20
/** Longer than a browser takes to save the file. */
const savingMs = 60_000

type AddedRowsProps = { file: { baseId: number; baseName: string }; result: Result; close: () => void }

export function AddedRows({ file: { baseId, baseName: name }, result, close }: AddedRowsProps) {
  const t = useTexts('contactFiles')
  const format = useFormat()
  const columns: FewColumn<Refused>[] = [
    { key: 'line', header: t.add.line, cell: ({ line }) => format.count(line) },
    { key: 'text', header: t.add.text, cell: ({ text }) => text },
    { key: 'reason', header: t.add.reason, cell: ({ reason }) => serverText(reason) },
  ]
  const all = result.duplicate + result.invalid
  const asked = Object.fromEntries(Object.entries(result.dateOrders).filter(([, order]) => order === 'ask'))
  return (
    <div className={classes.parts}>
      <p role="status" className={classes.said}>
        {t.add.done(name, format.count(result.added), format.count(result.rows))}
      </p>
      {result.hiddenLeft > 0 && <p>{t.add.hiddenLeft(result.hiddenLeft, format.count(result.hiddenLeft))}</p>}
      <MoreNumbers counted={result.moreNumbers} of="calls" />
      {Object.values(asked).length > 0 && (
        <Suspense fallback={null}>
          <DateOrders baseId={baseId} orders={asked} />
        </Suspense>
      )}
      {all > 0 && (
        <section className={classes.refused}>
          <h3 id="not-added" className={classes.heading}>
            {t.add.notAdded(format.count(result.duplicate), format.count(result.invalid))}
          </h3>
          <FewRows
            labelledBy="not-added"
            columns={columns}
            rowId={({ line }) => line}
            rows={result.refused.slice(0, shownRows)}
          />
          <RefusedFile name={name} refused={result.refused} all={all} />
        </section>
      )}
      <div className={classes.buttons}>
        <Button onClick={close}>{t.add.close}</Button>
      </div>
    </div>
  )
}

/** A cell that spreadsheets do not run as a formula: an apostrophe precedes it, as in all our CSV files. */
function cellOf(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

function csvOf(refused: readonly Refused[]): Blob {
  const lines = refused.map(({ line, text, reason }) => [String(line), text, reason].map(cellOf).join(','))
  return new Blob([`\ufeffLine,Row,Reason\r\n${lines.join('\r\n')}\r\n`], { type: 'text/csv' })
}

function RefusedFile({ name, refused, all }: { name: string; refused: readonly Refused[]; all: number }) {
  const t = useTexts('contactFiles')
  const format = useFormat()
  const save = () => {
    const address = URL.createObjectURL(csvOf(refused))
    saveAs(address, `${name} refused.csv`)
    setTimeout(() => URL.revokeObjectURL(address), savingMs)
  }
  const [kept, total] = [format.count(refused.length), format.count(all)]
  return (
    <Button variant="default" size="xs" onClick={save}>
      {refused.length < all ? t.add.downloadFirst(kept, total) : t.add.download}
    </Button>
  )
}
