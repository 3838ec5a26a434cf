import { blacklistRoutes, refusedKeptDays, type UploadedBlacklist } from '@ghanti/contract/blacklist.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { fileAddress } from '../../api/client.ts'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { MoreNumbers } from '../contacts/MoreNumbers.tsx'
import classes from './Blacklist.module.css'

/** Rows, the numbers in them by column, what became of the numbers, and the refused lines with reasons. */
export function UploadResult({ result }: { result: UploadedBlacklist }) {
  const { result: t } = useTexts('blacklist')
  const format = useFormat()
  const isOneARow = result.fromColumns.length < 2 && result.numbers === result.rows - result.invalid
  const figures = [
    [t.rows, result.rows],
    ...(isOneARow ? [] : [[t.numbers, result.numbers] as const]),
    ...(result.fromColumns.length > 1
      ? result.fromColumns.map(({ column, numbers }) => [t.fromColumn(column), numbers] as const)
      : []),
    [t.accepted, result.accepted],
    [t.duplicate, result.duplicate],
    [t.invalid, result.invalid],
  ] as const
  return (
    <>
      <dl className={classes.figures}>
        {figures.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd data-numeric>{format.count(count)}</dd>
          </div>
        ))}
      </dl>
      {result.hiddenTaken > 0 && <p>{t.hidden(result.hiddenTaken, format.count(result.hiddenTaken))}</p>}
      <MoreNumbers counted={result.moreNumbers} of="list" />
      {result.invalid > 0 && (
        <>
          <h3 className={classes.heading}>{t.first(format.count(result.refused.length))}</h3>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
          <ul className={classes.refused} tabIndex={0} aria-label={t.first(format.count(result.refused.length))}>
            {result.refused.map(({ line, text, reason }) => (
              <li key={line}>{t.line(format.digits(String(line)), text, serverText(reason))}</li>
            ))}
          </ul>
          <p>
            <a href={fileAddress(blacklistRoutes.refusedFile, { uploadId: result.uploadId })} download>
              {result.invalid > refusedKeptMax
                ? t.firstOf(format.count(refusedKeptMax), format.count(result.invalid))
                : t.all}
            </a>{' '}
            {t.kept(format.count(refusedKeptDays))}
          </p>
        </>
      )}
    </>
  )
}
