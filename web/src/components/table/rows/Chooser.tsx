import { useTexts } from '../../../i18n/language.ts'
import classes from '../DataTable.module.css'
import type { Choose, RowId, Selection } from './selection.ts'

/** Selects a row; with Shift, all rows from the previous one. */
export function Chooser(props: { id: RowId; name: string; isChosen: boolean; choose: Choose }) {
  const { id, name, isChosen, choose } = props
  const { table } = useTexts('common')
  return (
    <label className={classes.chooser}>
      <input
        type="checkbox"
        aria-label={table.choose(name)}
        checked={isChosen}
        onChange={() => undefined}
        onClick={(event) => choose(id, event.currentTarget.checked, event.shiftKey)}
      />
    </label>
  )
}

export function ChooseAll({ selection: { chosen, ids, keep } }: { selection: Selection }) {
  const { table } = useTexts('common')
  const isAll = ids.length > 0 && chosen.size === ids.length
  return (
    <label className={classes.chooser}>
      <input
        type="checkbox"
        aria-label={table.chooseAll}
        checked={isAll}
        disabled={ids.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = chosen.size > 0 && !isAll
        }}
        onChange={() => keep(isAll ? [] : ids)}
      />
    </label>
  )
}
