import { useEffect, useId, useRef } from 'react'
import { keysAreOn } from '../../../shell/keys.ts'
import { useTexts } from '../../../i18n/language.ts'
import { returnFocusTo } from '../../ui/dialogs/dialogs.ts'
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
  const asked = useRef<{ letter: string; id: RowId; next: RowId | undefined }>(null)
  const drawn = () =>
    [...(document.getElementById(id)?.closest('section')?.querySelectorAll('tr') ?? [])].filter(
      (row) => row.dataset['row'],
    )
  const focused = () => drawn().findIndex((row) => row.contains(document.activeElement))
  const placeOf = (wanted: RowId) => drawn().findIndex(({ dataset }) => dataset['row'] === String(wanted))
  const goTo = (at: number) => {
    const all = drawn()
    const box = all[Math.max(0, Math.min(at, all.length - 1))]?.querySelector('input')
    box?.focus()
    box?.scrollIntoView({ block: 'nearest' })
  }
  const boxOf = (id: RowId) => drawn()[placeOf(id)]?.querySelector('input')
  const rowInFocus = () => {
    const shown = drawn()[focused()]?.dataset['row']
    return rows.filter((row) => String(rowId(row)) === shown)
  }
  const meant = () => (chosen.size > 0 ? rows.filter((row) => chosen.has(rowId(row))) : rowInFocus())
  const keyed = (those: (rows: readonly Row[]) => readonly MenuAction[], on: () => readonly Row[]): ScreenKey[] =>
    those(rows).flatMap(({ letter, label, after }) => {
      if (letter === undefined) return []
      const run = () => {
        const these = on()
        // Without a focused row, a letter only moves to the first one. When several rows leave the list, the row after the first gets the focus.
        const [first] = these
        goTo(first === undefined ? 0 : placeOf(rowId(first)))
        if (first === undefined) return
        const action = those(these).find((one) => one.letter === letter)
        if (action?.disabledReason !== undefined) return
        const next = rows.slice(rows.indexOf(first)).find((row) => !these.includes(row))
        asked.current = { letter, id: rowId(first), next: next && rowId(next) }
        action?.onClick()
      }
      return [{ letter, label, run, after }]
    })
  // A row that stays in the list although its action has been done, perhaps in another place, passes the focus on.
  useEffect(() => {
    const { letter, id: done, next } = asked.current ?? {}
    const row = rows.find((one) => rowId(one) === done)
    const action = row && bulk.actions([row], keep).find((one) => one.letter === letter)
    if (action?.disabledReason === undefined) return
    asked.current = null
    const box = next === undefined ? null : boxOf(next)
    if (box && document.activeElement?.closest('tr, [role=dialog]')) returnFocusTo(box)
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
