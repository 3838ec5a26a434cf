import type { FileLook } from '@ghanti/contract/contacts.ts'
import { TextInput } from '@mantine/core'
import { useEffect, useId, useRef } from 'react'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { columnCount, type Choice } from './choice.ts'
import { lettersOf } from './column-names.ts'
import classes from './CheckFile.module.css'

type ColumnsTableProps = { look: FileLook; choice: Choice; onChange: (choice: Choice) => void }

/** The first rows of a file; above each column, whether it is the number, else its name. */
export function ColumnsTable({ look, choice, onChange }: ColumnsTableProps) {
  const t = useTexts('contactTable')
  const format = useFormat()
  const group = useId()
  const box = useRef<HTMLDivElement>(null)
  // On phones the proposed column may stand beyond the edge.
  useEffect(() => {
    const found = box.current?.querySelector(':checked')?.closest('th')
    if (found && box.current) box.current.scrollLeft = found.offsetLeft + found.offsetWidth - box.current.clientWidth
  }, [])
  const { header, number, names } = choice
  const columns = Array.from({ length: columnCount(look) }, (_, at) => at)
  const cellsOfHeader = look.first.find(({ line }) => line === header)?.cells ?? []
  const partOf = (line: number): 'head' | 'above' | undefined => {
    if (header === null || line > header) return undefined
    return line === header ? 'head' : 'above'
  }
  return (
    <div ref={box} className={classes.scroll} tabIndex={0} role="group" aria-label={t.rows}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t.row}</th>
            {columns.map((at) => (
              <th key={at} scope="col" data-number={number === at || undefined}>
                <label className={classes.radio}>
                  <input
                    type="radio"
                    name={group}
                    checked={number === at}
                    aria-label={t.isNumber(lettersOf(at))}
                    onChange={() => onChange({ ...choice, number: at })}
                  />
                  {number === at ? t.number : lettersOf(at)}
                </label>
                {number !== at && (
                  <TextInput
                    size="xs"
                    maxLength={100}
                    aria-label={t.nameOf(lettersOf(at))}
                    placeholder={cellsOfHeader[at] || t.keep}
                    value={names[at] ?? ''}
                    onChange={(event) => onChange({ ...choice, names: names.with(at, event.currentTarget.value) })}
                  />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {look.first.map(({ line, cells }) => (
            <tr key={line} data-part={partOf(line)}>
              <td>{format.count(line)}</td>
              {columns.map((at) => (
                <td key={at} data-number={number === at || undefined} translate="no">
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
