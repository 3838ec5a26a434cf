import { errorCodes } from '@ghanti/contract/error-codes.ts'
import { Button, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { FewRows, type FewColumn } from '../../../components/table/FewRows.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useDeveloperTexts } from '../texts.ts'
import classes from './Reference.module.css'

const all = Object.entries(errorCodes).map(([code, [meaning, help]]) => ({ code, meaning, help }))
type Row = (typeof all)[number]

const columnsOf = (t: ReturnType<typeof useDeveloperTexts>['reference']['errors']): FewColumn<Row>[] => [
  { key: 'code', header: t.code, cell: ({ code }) => <code translate="no">{code}</code> },
  {
    key: 'meaning',
    header: t.meaning,
    cell: ({ meaning }) => (
      <span lang="en" translate="no">
        {meaning}
      </span>
    ),
  },
  {
    key: 'help',
    header: t.help,
    cell: ({ help }) => (
      <span lang="en" translate="no">
        {help}
      </span>
    ),
  },
]

/** What a program that sends meets most. */
const usual: readonly string[] = [
  'required',
  'not_dialable',
  'no_mobile',
  'not_approved',
  'value_missing',
  'balance_short',
  'day_cap',
  'scope_missing',
  'network',
  'key_reused',
  'in_flight',
]

/** Every `errors[].code`; found by code and by words. */
export default function ErrorCodes() {
  const t = useDeveloperTexts().reference.errors
  const { table } = useTexts('common')
  const format = useFormat()
  const [search, setSearch] = useState('')
  const [isWhole, showWhole] = useState(false)
  const columns = useMemo(() => columnsOf(t), [t])
  const words = search.trim().toLowerCase().split(/\s+/)
  const found =
    search.trim() === ''
      ? all.filter(({ code }) => isWhole || usual.includes(code))
      : all.filter((row) => words.every((word) => Object.values(row).join(' ').toLowerCase().includes(word)))
  return (
    <section className={classes.errors} aria-labelledby="reference-errors">
      <div className={classes.errorsHead}>
        <div className={classes.about}>
          <h2 id="reference-errors">{t.title}</h2>
          <p>{t.hint}</p>
        </div>
        <TextInput
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          value={search}
          maxLength={60}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      {found.length === 0 ? (
        <p role="status" className={classes.note}>
          {table.nothingFound(search.trim())}
        </p>
      ) : (
        <FewRows labelledBy="reference-errors" stacked rows={found} rowId={({ code }) => code} columns={columns} />
      )}
      {search.trim() === '' && !isWhole && (
        <div>
          <Button variant="default" onClick={() => showWhole(true)}>
            {t.showAll(format.count(all.length))}
          </Button>
        </div>
      )}
    </section>
  )
}
