import { useId } from 'react'
import { keysAreOn } from '../../../shell/keys.ts'
import { useTexts } from '../../../i18n/language.ts'
import { useScreenKeys, type ScreenKey } from '../../ui/screen-keys.ts'
import classes from '../DataTable.module.css'
import type { Bulk } from '../DataTable.tsx'
import type { MenuAction } from '../RowMenu.tsx'
import type { RowId, Selection } from './selection.ts'

type RowKeysProps<Row> = { rows: readonly Row[]; rowId: (row: Row) => RowId; selection: Selection; bulk: Bulk<Row> }

/** Letters that move between rows and act on the selected rows, or else on the focused one; and a line that says so. */
export default function RowKeys<Row>({ rows, rowId, selection: { chosen, keep }, bulk }: RowKeysProps<Row>) {
  const { keys: t } = useTexts('goTo')
  const id = useId()
  const drawn = () =>
    [...(document.getElementById(id)?.closest('section')?.querySelectorAll('tr') ?? [])].filter(
      (row) => row.dataset['row'],
    )
  const focused = () => drawn().findIndex((row) => row.contains(document.activeElement))
  const place = (row: Row | undefined) =>
    row === undefined ? 0 : drawn().findIndex(({ dataset }) => dataset['row'] === String(rowId(row)))
  const goTo = (at: number) => {
    const all = drawn()
    const box = all[Math.max(0, Math.min(at, all.length - 1))]?.querySelector('input')
    box?.focus()
    box?.scrollIntoView({ block: 'nearest' })
  }
  const rowInFocus = () => {
    const shown = drawn()[focused()]?.dataset['row']
    return rows.filter((row) => String(rowId(row)) === shown)
  }
  const meant = () => (chosen.size > 0 ? rows.filter((row) => chosen.has(rowId(row))) : rowInFocus())
  const keyed = (those: (rows: readonly Row[]) => readonly MenuAction[], on: () => readonly Row[]): ScreenKey[] =>
    those(rows).flatMap(({ letter, label }) => {
      if (letter === undefined) return []
      const run = () => {
        const these = on()
        // Without a focused row, a letter only moves to the first one. When several rows leave the list, the row after the first gets the focus.
        goTo(place(these[0]))
        if (these.length === 0) return
        const action = those(these).find((one) => one.letter === letter)
        if (action?.disabledReason === undefined) action?.onClick()
      }
      return [{ letter, label, run }]
    })
  const keys = [
    { letter: 'j', label: t.nextRow, run: () => goTo(focused() + 1) },
    { letter: 'k', label: t.previousRow, run: () => goTo(focused() - 1) },
    ...keyed(([row]) => (row === undefined ? [] : (bulk.onFocused?.(row) ?? [])), rowInFocus),
    ...keyed((those) => bulk.actions(those, keep), meant),
  ]
  useScreenKeys(keys)
  return (
    <p id={id} className={classes.keys}>
      {rows.length > 0 &&
        keysAreOn() &&
        [...keys, { letter: t.space, label: t.choose }].map(({ letter, label }) => (
          <span key={letter}>
            <kbd>{letter}</kbd> {label}
          </span>
        ))}
    </p>
  )
}
