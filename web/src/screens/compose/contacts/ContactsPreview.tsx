import { ownValue } from '@ghanti/contract/own-values.ts'
import { isManyRefused, refusedKeptMax } from '@ghanti/contract/refused.ts'
import { Loader } from '@mantine/core'
import { ApiError } from '../../../api/error.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import { MoreNumbers } from '../../contacts/MoreNumbers.tsx'
import classes from './ContactsPreview.module.css'
import type { ComposeForm } from '../form.ts'
import type { Preview, usePreview } from '../queries.ts'
import { labelled } from '../wire-fields.ts'
import { TemplateColumns } from './TemplateColumns.tsx'

/** Enough to include the spoken columns even if the file has others before them; the table scrolls. */
const columnsShown = 8

type ContactsPreviewProps = {
  baseId: number
  /** The columns that the template speaks. */
  wanted: readonly string[]
  preview: ReturnType<typeof usePreview>
  values: () => ComposeForm
  refusedHref: string
}

/** What the server makes of the contacts: counts, the first rows, the first refused ones with reasons. */
export default function ContactsPreview({ baseId, wanted, preview, values, refusedHref }: ContactsPreviewProps) {
  const texts = useTexts('compose')
  const { preview: t } = texts
  if (preview.error) {
    const error = labelled(preview.error, texts, values())
    return (
      <>
        <Failure title={t.failed} error={error} onRetry={() => void preview.refetch()} />
        {lacksColumns(preview.error) && <TemplateColumns baseId={baseId} wanted={wanted} from={none} />}
      </>
    )
  }
  if (!preview.data) return <Loader size="sm" />
  return (
    <section className={classes.preview} aria-label={t.title} aria-busy={preview.isFetching}>
      <Counts preview={preview.data} />
      {preview.data.accepted === 0 && (
        <p role="alert" className={classes.alert}>
          {t.none}
        </p>
      )}
      <LostLetters columns={preview.data.lostLetters} />
      <Rows preview={preview.data} refusedHref={refusedHref} />
      {wanted.length > 0 && isManyRefused(preview.data.invalid, preview.data.rows) && (
        <TemplateColumns
          key={JSON.stringify(preview.data.spokenFrom)}
          baseId={baseId}
          wanted={wanted}
          from={preview.data.spokenFrom}
        />
      )}
    </section>
  )
}

const none = {}

function lacksColumns(error: unknown): boolean {
  return error instanceof ApiError && error.errors.some(({ code }) => code === 'columns_missing')
}

type Shown = Omit<Preview, 'estimate' | 'spokenFrom'>

export function FileTables({ preview, refusedHref }: { preview: Shown; refusedHref: string }) {
  return (
    <div className={classes.preview}>
      <Counts preview={preview} />
      <LostLetters columns={preview.lostLetters} />
      <Rows preview={preview} refusedHref={refusedHref} />
    </div>
  )
}

function Rows({ preview, refusedHref }: { preview: Shown; refusedHref: string }) {
  return (
    <>
      <MoreNumbers counted={preview.moreNumbers} of="calls" />
      {preview.first.length > 0 && <FirstRows preview={preview} />}
      {preview.refused.length > 0 && <RefusedRows preview={preview} href={refusedHref} />}
    </>
  )
}

function LostLetters({ columns }: { columns: readonly string[] }) {
  const { preview: t } = useTexts('compose')
  if (columns.length === 0) return null
  return (
    <p role="alert" className={classes.alert}>
      {t.lostLetters(columns.map((column) => `“${column}”`).join(', '))}
    </p>
  )
}

function Counts({ preview }: { preview: Shown }) {
  const { preview: t } = useTexts('compose')
  const format = useFormat()
  const counts = ['accepted', 'invalid', 'duplicate', 'blacklisted'] as const
  return (
    <dl className={classes.counts}>
      {counts.map((kind) => (
        <div key={kind} data-kind={preview[kind] > 0 ? kind : 'none'}>
          <dt>{t[kind]}</dt>
          <dd data-numeric>{format.count(preview[kind])}</dd>
        </div>
      ))}
    </dl>
  )
}

function FirstRows({ preview }: { preview: Shown }) {
  const { preview: t } = useTexts('compose')
  const format = useFormat()
  const columns = preview.columns.filter((column) => column !== 'mobile').slice(0, columnsShown)
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t.first}>
      <table className={classes.table}>
        <caption>{t.first}</caption>
        <thead>
          <tr>
            <th scope="col">{t.line}</th>
            <th scope="col">{t.mobile}</th>
            {columns.map((column) => (
              <th key={column} scope="col" translate="no">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.first.map((row) => (
            <tr key={row.line}>
              <td>{format.count(row.line)}</td>
              <td className={classes.phone}>{format.phone(row.mobile)}</td>
              {columns.map((column) => (
                <td key={column} translate="no">
                  {ownValue(row.values, column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RefusedRows({ preview, href }: { preview: Shown; href: string }) {
  const { preview: t } = useTexts('compose')
  const format = useFormat()
  const all = preview.invalid + preview.duplicate
  const more = all - preview.refused.length
  return (
    <>
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t.refused}>
        <table className={classes.table}>
          <caption>{t.refused}</caption>
          <thead>
            <tr>
              <th scope="col">{t.line}</th>
              <th scope="col">{t.text}</th>
              <th scope="col">{t.reason}</th>
            </tr>
          </thead>
          <tbody>
            {preview.refused.map((row) => (
              <tr key={row.line}>
                <td>{format.count(row.line)}</td>
                <td className={classes.text} translate="no">
                  {row.text}
                </td>
                <td>{serverText(row.reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.more}>
        {more > 0 && <span>{t.more(format.count(more))}</span>}
        <a href={href} download>
          {t.download}
        </a>
        {preview.refusedKept < all && (
          <span>{t.firstOf(format.count(preview.refusedKept), format.count(all), format.count(refusedKeptMax))}</span>
        )}
      </p>
    </>
  )
}
