import type { FileLook } from '@ghanti/contract/contacts.ts'
import { Button, Loader, NativeSelect } from '@mantine/core'
import { ApiError } from '../../../api/error.ts'
import { Failure } from '../../../components/ui/failures/Failure.tsx'
import { failureTexts } from '../../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { BadRows } from './BadRows.tsx'
import { namesOf, readingOf, spokenFrom, type Choice } from './choice.ts'
import { lettersOf, positionOf } from './column-names.ts'
import { ColumnsTable } from './ColumnsTable.tsx'
import type { FileReading } from './file-reading.ts'
import { HiddenRowsField } from './HiddenRowsField.tsx'
import { Said } from './Said.tsx'
import { goodWith, numbersOf, useCheck } from './use-check.ts'
import classes from './CheckFile.module.css'

const noColumns: readonly string[] = []
const asFound: FileReading = {}
type CheckFileProps = {
  file: File
  /** As it was sent before. */
  reading?: FileReading
  submit: string
  isSending?: boolean
  onUse: (reading: FileReading) => void
  /** The columns that the chosen template speaks. */
  wanted?: readonly string[] | undefined
  /** Hidden rows are taken without a question, and numbers of other columns as well. */
  isList?: boolean | undefined
}

/** What a file would give before it is stored: the number's column with how many are good, the rows that are not, and the first rows with their names. */
export default function CheckFile(props: CheckFileProps) {
  const { file, reading = asFound, submit, isSending = false, onUse, wanted = noColumns, isList = false } = props
  const t = useTexts('contactTable')
  const check = useCheck(file, reading, wanted)
  const { look, choice, kept, checked, isOld } = check
  if (!look || !choice || !checked) {
    return check.error ? (
      <NotRead error={check.error} retry={check.retry} />
    ) : (
      <Loader size="sm" aria-label={t.checking} />
    )
  }
  const choose = (next: Choice) => check.change({ choice: next, ...(isOtherNumber(choice, next) && { typed: [] }) })
  const isHiddenAsked = !isList && look.hiddenRows > 0
  const numbers = numbersOf(kept.typed)
  const good = goodWith(checked, kept.typed)
  const twoDays = Object.entries(look.dateOrders).flatMap(([column, order]) => (order === 'ask' ? [column] : []))
  const use = () =>
    onUse({
      ...readingOf(look, choice),
      ...(isHiddenAsked && { hiddenRows: kept.hiddenRows }),
      ...(numbers.length > 0 && { numbers }),
      // How many rows cannot be called was shown.
      askColumns: undefined,
    })
  return (
    <div className={classes.check}>
      <Said {...{ look, choice, good, isOld }} rows={checked.rows} onChoose={choose} />
      {check.error && <NotRead error={check.error} retry={check.retry} />}
      {isHiddenAsked && (
        <HiddenRowsField
          count={look.hiddenRows}
          value={kept.hiddenRows}
          onChange={(hiddenRows) => check.change({ hiddenRows })}
        />
      )}
      <BadRows checked={checked} typed={kept.typed} onType={(typed) => check.change({ typed })} />
      <section className={classes.part} aria-label={t.rows}>
        <h3>{t.rows}</h3>
        <div className={classes.fields}>
          {look.sheets.length > 1 && (
            <NativeSelect
              label={t.sheet}
              data={look.sheets}
              value={look.sheet ?? ''}
              onChange={({ currentTarget: { value } }) => check.change({ sheet: value, choice: null, typed: [] })}
            />
          )}
          <HeaderField look={look} choice={choice} onChoose={choose} />
          {wanted.map((column) => (
            <SpokenField key={column} {...{ column, look, choice }} onChoose={choose} />
          ))}
        </div>
        {!isList && twoDays.length > 0 && <p className={classes.hint}>{t.dates(twoDays.join(', '))}</p>}
        <ColumnsTable look={look} choice={choice} onChange={choose} />
      </section>
      <div className={classes.buttons}>
        {good === 0 && !isOld && <p className={classes.reason}>{t.noneGood}</p>}
        <Button onClick={use} loading={isSending} disabled={!isList && good === 0}>
          {submit}
        </Button>
      </div>
    </div>
  )
}

/** Then the lines that were refused are others, or their numbers. */
const isOtherNumber = (before: Choice, after: Choice): boolean =>
  before.number !== after.number || before.header !== after.header

const shownSigns = 60
type FieldProps = { look: FileLook; choice: Choice; onChoose: (choice: Choice) => void }

function HeaderField({ look, choice, onChoose }: FieldProps) {
  const t = useTexts('contactTable')
  const format = useFormat()
  return (
    <NativeSelect
      label={t.header}
      data={[
        { value: '', label: t.noHeader },
        ...look.first.map(({ line, cells }) => ({
          value: String(line),
          label: t.headerLine(format.count(line), cells.filter(Boolean).join(' · ').slice(0, shownSigns)),
        })),
      ]}
      value={choice.header === null ? '' : String(choice.header)}
      onChange={({ currentTarget: { value } }) => onChoose({ ...choice, header: value === '' ? null : Number(value) })}
    />
  )
}

function SpokenField({ column, look, choice, onChoose }: FieldProps & { column: string }) {
  const t = useTexts('contactTable')
  const names = namesOf(look, choice)
  return (
    <NativeSelect
      label={t.spoken(column)}
      data={[
        { value: '', label: t.nowhere },
        ...names.map((name, at) => ({ value: String(at), label: `${lettersOf(at)} · ${name}` })),
      ]}
      value={String(positionOf(column, names)).replace('-1', '')}
      onChange={({ currentTarget: { value } }) =>
        onChoose({ ...choice, names: spokenFrom(look, choice, column, value === '' ? null : Number(value)) })
      }
    />
  )
}

function NotRead({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTexts('contactTable')
  if (!(error instanceof ApiError) || error.errors.length === 0)
    return <Failure title={t.failed} error={error} labels={t.fields} onRetry={retry} />
  return (
    <p role="alert" className={classes.reason}>
      {failureTexts(error, t.fields).helps.join(' ')}
    </p>
  )
}
