import { contactRoutes, type FileLook } from '@ghanti/contract/contacts.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import { Button, Checkbox, Loader, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Checkbox.css'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { call } from '../../api/client.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import type { FileReading } from './file-reading.ts'
import classes from './ChooseColumns.module.css'

type ChooseColumnsProps = { file: File; onUse: (reading: FileReading) => void }

/** Shows the first rows of a file without the expected column names, and asks which column has the number and how to call the others. */
export default function ChooseColumns({ file, onUse }: ChooseColumnsProps) {
  const t = useTexts('contactTable')
  const [sheet, setSheet] = useState<string | undefined>(undefined)
  const look = useQuery({
    queryKey: [contactRoutes.look.path, file.name, file.size, file.lastModified, sheet ?? ''],
    queryFn: ({ signal }) => call(contactRoutes.look, { sheet }, { files: { baseFile: file }, signal }),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const sheets = look.data?.sheets ?? []
  return (
    <section className={classes.choose} aria-labelledby="choose-columns">
      <h3 id="choose-columns" ref={heading} tabIndex={-1}>
        {look.data && look.data.number !== null && sheets.length > 1 ? t.sheetTitle : t.title}
      </h3>
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
      {look.data && <Columns key={look.data.sheet} look={look.data} onUse={onUse} />}
    </section>
  )
}

/** The column in which most of the first rows have a dialable number. */
function likelyNumber({ number, first }: FileLook): number | null {
  if (number !== null) return number
  const count = Math.max(0, ...first.map(({ cells }) => cells.length))
  const found = Array.from({ length: count }, (_, at) => first.filter(({ cells }) => dialable(cells[at] ?? '')).length)
  const most = Math.max(0, ...found)
  return most === 0 ? null : found.indexOf(most)
}

/** 0 → 'A', as in spreadsheets. */
function lettersOf(at: number): string {
  const rest = Math.floor(at / 26) - 1
  return (rest >= 0 ? lettersOf(rest) : '') + String.fromCharCode(65 + (at % 26))
}

function Columns({ look, onUse }: { look: FileLook; onUse: (reading: FileReading) => void }) {
  const t = useTexts('contactTable')
  const format = useFormat()
  const group = useId()
  const count = Math.max(0, ...look.first.map(({ cells }) => cells.length))
  const [header, setHeader] = useState(look.header)
  const [number, setNumber] = useState(() => likelyNumber(look))
  const [names, setNames] = useState<string[]>(() => Array.from({ length: count }, () => ''))
  const [isMissing, setMissing] = useState(false)
  const named = (at: number) => (header ? (look.first[0]?.cells[at] ?? '') : '')
  const columns = Array.from({ length: count }, (_, at) => at)
  const use = () => {
    setMissing(number === null)
    if (number === null) return
    const isAsFound = number === look.number && header === look.header && names.every((name) => name.trim() === '')
    const sheet = look.sheet === null ? {} : { sheet: look.sheet }
    onUse(isAsFound ? sheet : { ...sheet, columns: { number, header, names } })
  }
  return (
    <>
      <Checkbox label={t.header} checked={header} onChange={(event) => setHeader(event.currentTarget.checked)} />
      <div className={classes.scroll} tabIndex={0} role="group" aria-label={t.rows}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t.row}</th>
              {columns.map((at) => (
                <th key={at} scope="col">
                  <label className={classes.radio}>
                    <input
                      type="radio"
                      name={group}
                      checked={number === at}
                      aria-label={t.isNumber(lettersOf(at))}
                      onChange={() => setNumber(at)}
                    />
                    {number === at ? t.number : lettersOf(at)}
                  </label>
                  {number !== at && (
                    <TextInput
                      size="xs"
                      maxLength={100}
                      aria-label={t.nameOf(lettersOf(at))}
                      placeholder={named(at) || t.keep}
                      value={names[at] ?? ''}
                      onChange={(event) => setNames(names.with(at, event.currentTarget.value))}
                    />
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {look.first.map(({ line, cells }, index) => (
              <tr key={line} data-head={(header && index === 0) || undefined}>
                <td>{format.count(line)}</td>
                {columns.map((at) => (
                  <td key={at} data-number={number === at || undefined}>
                    {cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isMissing && number === null && (
        <p role="alert" className={classes.bad}>
          {t.none}
        </p>
      )}
      <div>
        <Button onClick={use}>{t.use}</Button>
      </div>
    </>
  )
}
