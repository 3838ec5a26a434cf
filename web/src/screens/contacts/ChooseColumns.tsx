import { contactRoutes, type FileLook, type HiddenRows } from '@ghanti/contract/contacts.ts'
import { Button, Loader, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { failureTexts } from '../../components/ui/failures/failure-texts.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { firstChoice, namesOf, readingOf, spokenFrom } from './choice.ts'
import { lettersOf, positionOf } from './column-names.ts'
import { ColumnsTable } from './ColumnsTable.tsx'
import type { AskedFile, FileReading } from './file-reading.ts'
import { HiddenRowsField } from './HiddenRowsField.tsx'
import { RefusedRows } from './RefusedRows.tsx'
import classes from './ChooseColumns.module.css'

const noColumns: readonly string[] = []
type ChooseColumnsProps = {
  asked: AskedFile
  onUse: (reading: FileReading) => void
  /** The columns that the chosen template speaks. */
  wanted?: readonly string[]
  /** Hidden rows are taken without a question. */
  isList?: boolean
}

/** Says why a file was refused, shows its first rows, and asks for the sheet, the header, the number's column and the names of the others. */
export default function ChooseColumns({ asked, onUse, wanted = noColumns, isList = false }: ChooseColumnsProps) {
  const t = useTexts('contactTable')
  const { file, refusal } = asked
  const [sheet, setSheet] = useState<string | undefined>(asked.reading.sheet)
  const look = useQuery({
    queryKey: [contactRoutes.look.path, file.name, file.size, file.lastModified, sheet ?? ''],
    queryFn: ({ signal }) => call(contactRoutes.look, { sheet }, { files: { baseFile: file }, signal }),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const sheets = look.data?.sheets ?? []
  const code = refusal.errors[0]?.code
  return (
    <section className={classes.choose} aria-labelledby="choose-columns">
      <h3 id="choose-columns" ref={heading} tabIndex={-1}>
        {code === 'which_sheet' ? t.sheetTitle : code === 'hidden_rows' ? t.hidden.title : t.title}
      </h3>
      <p className={classes.why}>
        {failureTexts(refusal, { baseFile: t.fields.baseFile, blistFile: t.fields.baseFile }).helps.join(' ')}
      </p>
      {refusal.file && <RefusedRows refused={refusal.file.refused} />}
      <p className={classes.hint}>{t.hint}</p>
      {look.error && <Failure title={t.failed} error={look.error} onRetry={() => void look.refetch()} />}
      {look.isLoading && <Loader size="sm" />}
      {sheets.length > 1 && (
        <NativeSelect
          label={t.sheet}
          data={sheets}
          value={look.data?.sheet ?? ''}
          onChange={(event) => setSheet(event.currentTarget.value)}
        />
      )}
      {look.data && <Columns key={look.data.sheet} {...{ look: look.data, asked, wanted, isList, onUse }} />}
    </section>
  )
}

const shownSigns = 60

function Columns({ look, asked, wanted, isList, onUse }: Required<ChooseColumnsProps> & { look: FileLook }) {
  const t = useTexts('contactTable')
  const format = useFormat()
  const [choice, setChoice] = useState(() => firstChoice(look, asked, wanted))
  const [isMissing, setMissing] = useState(false)
  const [hiddenRows, setHiddenRows] = useState<HiddenRows>(asked.reading.hiddenRows ?? 'leave')
  const isHiddenAsked = !isList && look.hiddenRows > 0
  const names = namesOf(look, choice)
  const twoDays = Object.entries(look.dateOrders).flatMap(([column, order]) => (order === 'ask' ? [column] : []))
  const taken = asked.refusal.errors[0]?.code === 'many_refused' ? asked.refusal.file?.dialable : undefined
  const use = () => {
    setMissing(choice.number === null)
    if (choice.number !== null) onUse({ ...readingOf(look, choice), ...(isHiddenAsked && { hiddenRows }) })
  }
  return (
    <>
      {isHiddenAsked && <HiddenRowsField count={look.hiddenRows} value={hiddenRows} onChange={setHiddenRows} />}
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
        onChange={({ currentTarget: { value } }) =>
          setChoice({ ...choice, header: value === '' ? null : Number(value) })
        }
      />
      {wanted.map((column) => (
        <NativeSelect
          key={column}
          label={t.spoken(column)}
          data={[
            { value: '', label: t.nowhere },
            ...names.map((name, at) => ({ value: String(at), label: `${lettersOf(at)} · ${name}` })),
          ]}
          value={String(positionOf(column, names)).replace('-1', '')}
          onChange={({ currentTarget: { value } }) =>
            setChoice({ ...choice, names: spokenFrom(look, choice, column, value === '' ? null : Number(value)) })
          }
        />
      ))}
      {!isList && twoDays.length > 0 && <p className={classes.hint}>{t.dates(twoDays.join(', '))}</p>}
      <ColumnsTable look={look} choice={choice} onChange={setChoice} />
      {isMissing && choice.number === null && (
        <p role="alert" className={classes.bad}>
          {t.none}
        </p>
      )}
      <div className={classes.buttons}>
        <Button onClick={use}>{t.use}</Button>
        {taken !== undefined && (
          <Button variant="default" onClick={() => onUse({ ...asked.reading, askColumns: undefined })}>
            {t.anyway(format.count(taken))}
          </Button>
        )}
      </div>
    </>
  )
}
