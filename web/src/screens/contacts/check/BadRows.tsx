import type { CheckedFile } from '@ghanti/contract/contacts.ts'
import { dialable } from '@ghanti/contract/phone.ts'
import { TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId } from 'react'
import { useFormat } from '../../../i18n/format.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import type { TypedRow } from './kept.ts'
import classes from './CheckFile.module.css'

type Refused = CheckedFile['refused'][number]
type BadRowsProps = { checked: CheckedFile; typed: readonly TypedRow[]; onType: (typed: TypedRow[]) => void }

/** The rows that would not be called, each with its reason; a number that is wrong is typed anew in its place. */
export function BadRows({ checked, typed, onType }: BadRowsProps) {
  const t = useTexts('contactTable')
  const format = useFormat()
  const title = useId()
  const rows = withTyped(checked.refused, typed)
  if (rows.length === 0) return null
  const more = checked.rows - checked.good - checked.refused.length
  const type = (row: Refused, value: string) => {
    const others = typed.filter(({ line }) => line !== row.line)
    const first = typed.find(({ line }) => line === row.line) ?? { ...row, number: row.number ?? '' }
    onType(value === first.number ? others : [...others, { ...first, typed: value }])
  }
  return (
    <section className={classes.part} aria-labelledby={title}>
      <h3 id={title}>{t.refused}</h3>
      <p className={classes.hint}>{t.repair}</p>
      <ul className={classes.bad}>
        {rows.map(({ row, typed: one }) => (
          <li key={row.line}>
            <span className={classes.line}>{t.lineNumber(format.count(row.line))}</span>
            <span className={classes.text} translate="no">
              {row.text}
            </span>
            {row.number === null && !one ? (
              <span className={classes.reason}>{serverText(row.reason)}</span>
            ) : (
              <NumberField
                line={format.count(row.line)}
                value={one?.typed ?? row.number ?? ''}
                reason={reasonOf(row, one, checked.refused)}
                onType={(value) => type(row, value)}
              />
            )}
          </li>
        ))}
      </ul>
      {more > 0 && <p className={classes.hint}>{t.more(format.count(more))}</p>}
    </section>
  )
}

function withTyped(refused: readonly Refused[], typed: readonly TypedRow[]) {
  const shown = new Map(refused.map((row) => [row.line, row]))
  for (const row of typed) if (!shown.has(row.line)) shown.set(row.line, row)
  return [...shown.values()]
    .toSorted((a, b) => a.line - b.line)
    .map((row) => ({ row, typed: typed.find(({ line }) => line === row.line) }))
}

/** What is wrong with a row as it stands; null: it would be called, '': what is typed is no number yet. */
function reasonOf(row: Refused, typed: TypedRow | undefined, refused: readonly Refused[]): string | null {
  if (!typed) return row.reason
  // The sentences about wrong numbers are the server's.
  if (dialable(typed.typed) === null) return ''
  // Until the file has been read again its reason is that of the old number.
  return refused.find(({ line, number }) => line === row.line && number === null)?.reason ?? null
}

type NumberProps = { line: string; value: string; reason: string | null; onType: (value: string) => void }

function NumberField({ line, value, reason, onType }: NumberProps) {
  const t = useTexts('contactTable')
  const help = useId()
  return (
    <span className={classes.number}>
      <TextInput
        size="sm"
        inputMode="tel"
        maxLength={40}
        aria-label={t.numberOf(line)}
        aria-describedby={help}
        autoComplete="off"
        value={value}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <span id={help} className={classes.reason} data-good={reason === null || undefined}>
        {reason === null ? (
          <>
            <IconCheck size={14} aria-hidden /> {t.repaired}
          </>
        ) : reason === '' ? (
          t.notYet
        ) : (
          serverText(reason)
        )}
      </span>
    </span>
  )
}
