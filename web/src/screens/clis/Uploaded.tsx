import type { CliUploaded } from '@ghanti/contract/lines.ts'
import { Button } from '@mantine/core'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import lines from '../lines/Lines.module.css'
import { MoreNumbers } from '../contacts/MoreNumbers.tsx'
import classes from './Clis.module.css'

const shownLines = 100

export function Uploaded({ uploaded, onSeen }: { uploaded: CliUploaded; onSeen: () => void }) {
  const { uploaded: t } = useTexts('clis')
  const { dialog } = useTexts('common')
  const format = useFormat()
  const { accepted, duplicate, invalid, refused } = uploaded
  const more = refused.length - shownLines
  return (
    <div className={lines.test}>
      <p>{t.counts(format.count(accepted), format.count(duplicate), format.count(invalid))}</p>
      <MoreNumbers counted={uploaded.moreNumbers} of="list" />
      {refused.length > 0 && (
        <div className={classes.refused} role="region" aria-label={t.refused} tabIndex={0}>
          <ul>
            {refused.slice(0, shownLines).map(({ line, text, reason }) => (
              <li key={line}>
                {t.line(format.digits(String(line)), text)} <span className={lines.more}>{serverText(reason)}</span>
              </li>
            ))}
          </ul>
          {more > 0 && <p>{t.more(format.count(more))}</p>}
        </div>
      )}
      <div className={lines.buttons}>
        <Button onClick={onSeen} data-autofocus>
          {dialog.ok}
        </Button>
        {refused.length > 0 && (
          <Button variant="default" onClick={() => save(refused)}>
            {t.download}
          </Button>
        )}
      </div>
    </div>
  )
}

/** A cell that spreadsheets do not take for a formula. */
function cell(text: string | number): string {
  const harmless = /^[=+\-@\t\r]/.test(String(text)) ? `'${text}` : String(text)
  return `"${harmless.replaceAll('"', '""')}"`
}

function save(refused: CliUploaded['refused']): void {
  const rows = [['Line', 'Row', 'Reason'], ...refused.map(({ line, text, reason }) => [line, text, reason])]
  const csv = `\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'cli refused.csv'
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
