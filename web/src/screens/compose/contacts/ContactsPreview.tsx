import { textOf, wordsOf } from '@ghanti/callflow/speech/words.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { isManyRefused, refusedKeptMax } from '@ghanti/contract/refused.ts'
import type { Calendar, Language } from '@ghanti/contract/templates.ts'
import { Loader } from '@mantine/core'
import { Suspense } from 'react'
import { ApiError } from '../../../api/error.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverText, useLanguage, useTexts } from '../../../i18n/language.ts'
import { DateOrders } from '../../contacts/date-orders.ts'
import { MoreNumbers } from '../../contacts/MoreNumbers.tsx'
import classes from './ContactsPreview.module.css'
import type { ComposeForm } from '../form.ts'
import type { Preview, usePreview } from '../queries.ts'
import { labelled } from '../wire-fields.ts'
import { TemplateColumns } from './TemplateColumns.tsx'
import { SpokenValue } from './SpokenValue.tsx'

/** Enough to include the spoken columns even if the file has others before them; the table scrolls. */
const columnsShown = 8

type ContactsPreviewProps = {
  baseId: number
  /** The columns that the template speaks. */
  wanted: readonly string[]
  /** Whether the template speaks dates, whose order must be known. */
  saysDates: boolean
  preview: ReturnType<typeof usePreview>
  values: () => ComposeForm
  refusedHref: string
}

/** What the server makes of the contacts: counts, the first rows, the first refused ones with reasons. */
export default function ContactsPreview(props: ContactsPreviewProps) {
  const { baseId, wanted, saysDates, preview, values, refusedHref } = props
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
  const { language, calendar } = values()
  return (
    <section className={classes.preview} aria-label={t.title} aria-busy={preview.isFetching}>
      <Counts preview={preview.data} />
      {preview.data.accepted === 0 && (
        <p role="alert" className={classes.alert}>
          {t.none}
        </p>
      )}
      {saysDates && <Orders baseId={baseId} preview={preview.data} />}
      <LostLetters columns={preview.data.lostLetters} />
      <Rows preview={preview.data} refusedHref={refusedHref} speech={{ language, calendar }} />
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

export function FileTables({ baseId, preview, refusedHref }: { baseId: number; preview: Shown; refusedHref: string }) {
  const language = useLanguage()
  const { calendar } = useFormat()
  return (
    <div className={classes.preview}>
      <Counts preview={preview} />
      <Orders baseId={baseId} preview={preview} />
      <LostLetters columns={preview.lostLetters} />
      <Rows preview={preview} refusedHref={refusedHref} speech={{ language, calendar }} />
    </div>
  )
}

function Orders({ baseId, preview }: { baseId: number; preview: Shown }) {
  if (Object.keys(preview.dateOrders).length === 0) return null
  return (
    <Suspense fallback={<Loader size="sm" />}>
      <DateOrders baseId={baseId} orders={preview.dateOrders} />
    </Suspense>
  )
}

/** How dates are spoken. */
type Speech = { language: Language; calendar: Calendar }

function Rows({ preview, refusedHref, speech }: { preview: Shown; refusedHref: string; speech: Speech }) {
  return (
    <>
      <MoreNumbers counted={preview.moreNumbers} of="calls" />
      {preview.first.length > 0 && <FirstRows preview={preview} speech={speech} />}
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

function FirstRows({ preview, speech }: { preview: Shown; speech: Speech }) {
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
                  <SpokenDate day={ownValue(row.dates, column)} speech={speech} />
                  <SpokenValue written={ownValue(row.values, column)} read={ownValue(row.spoken, column)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A date in the words that a call says, so that a wrong day is seen before it is heard. */
function SpokenDate({ day, speech: { language, calendar } }: { day: string | undefined; speech: Speech }) {
  if (day === undefined) return null
  return (
    <small className={classes.spoken} lang={language}>
      {textOf(wordsOf('date', day, language, calendar))}
    </small>
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
