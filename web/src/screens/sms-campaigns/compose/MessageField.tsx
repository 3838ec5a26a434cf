import { smsSegmentsMax, smsSizeOf } from '@ghanti/contract/sms-text.ts'
import { Button, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { fieldText } from '../../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import compose from '../../compose/Compose.module.css'
import { countedLength } from '../counted-length.ts'
import { codeOf } from './message.ts'
import classes from './SmsCompose.module.css'

type MessageFieldProps = {
  label: string
  name: string
  text: string
  /** The text's error, as on the wire. */
  problem: string | null
  /** The chosen file's; null without one. */
  columns: readonly string[] | null
  isPersonalised: boolean
  isRequired?: boolean
  /** Rupees per segment, if known. */
  perSegment?: number | null
  onChange: (text: string) => void
  /** Of a text that is the same for all: what it becomes by a column. */
  onPersonalise?: (text: string) => void
}

export function MessageField({
  label,
  name,
  text,
  problem,
  columns,
  isPersonalised,
  isRequired = true,
  perSegment = null,
  onChange,
  onPersonalise,
}: MessageFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const insert = (column: string) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {}
    const placed = `{${column}}`
    const change = isPersonalised ? onChange : (onPersonalise ?? onChange)
    change(text.slice(0, selectionStart) + placed + text.slice(selectionEnd))
    const caret = selectionStart + placed.length
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(caret, caret)
    })
  }
  const offersColumns = isPersonalised || (onPersonalise && columns !== null && columns.length > 1)
  return (
    <>
      {offersColumns && <Columns columns={columns} of={label} onInsert={insert} />}
      <Textarea
        ref={field}
        label={label}
        name={name}
        data-path={name}
        withAsterisk={isRequired}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={problem === null ? undefined : fieldText(label, problem)}
        autoComplete="off"
        styles={{ input: { minHeight: '7.5em', maxHeight: '20em' } }}
      />
      <Count text={text} isPersonalised={isPersonalised} perSegment={perSegment} />
    </>
  )
}

type ColumnsProps = { columns: readonly string[] | null; of: string; onInsert: (column: string) => void }

function Columns({ columns, of, onInsert }: ColumnsProps) {
  const t = useTexts('smsCompose')
  if (columns === null) return <p className={compose.hint}>{t.chooseFile}</p>
  return (
    <div className={classes.columns} role="group" aria-label={`${of}: ${t.columns}`}>
      {columns.map((column) => (
        <Button
          key={column}
          size="compact-sm"
          radius="xl"
          variant="default"
          aria-label={t.insert(column)}
          onClick={() => onInsert(column)}
        >
          {`{${column}}`}
        </Button>
      ))}
    </div>
  )
}

type CountProps = { text: string; isPersonalised: boolean; perSegment: number | null }

function Count({ text, isPersonalised, perSegment }: CountProps) {
  const { count: t, estimate } = useTexts('smsCompose')
  const format = useFormat()
  const size = smsSizeOf(text)
  const { length, why } = countedLength(text, size, t, format)
  const said = [length, t.segments(format.count(size.segments))]
  if (perSegment !== null) said.push(estimate.rupees(format.rupees(size.segments * perSegment)))
  return (
    <div className={classes.count} role="status" aria-label={t.label}>
      <span data-numeric>{said.join(' · ')}</span>
      {text !== '' && size.segments <= smsSegmentsMax && <span>{t.left(format.count(size.left))}</span>}
      {size.segments > smsSegmentsMax && (
        <strong className={classes.wrong}>{t.tooLong(format.count(smsSegmentsMax))}</strong>
      )}
      {size.unicodeSign !== null && <span>{t.unicode(size.unicodeSign, codeOf(size.unicodeSign))}</span>}
      {why !== null && <span>{why}</span>}
      {isPersonalised && text !== '' && <span>{t.personalised}</span>}
    </div>
  )
}
