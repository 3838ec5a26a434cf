import { IconX } from '@tabler/icons-react'
import { useFormat } from '../../../i18n/format.ts'
import { loadTexts, useTexts } from '../../../i18n/language.ts'
import { showDialog } from '../../ui/dialogs/dialogs.ts'
import { late } from '../../ui/loading/late.tsx'
import classes from './BulkBar.module.css'
import type { MenuAction } from '../RowMenu.tsx'

/** Actions on the selected rows, which stay in sight while the list scrolls. Covers the toolbar. */
function BulkBar(props: { count: number; actions: MenuAction[]; onClear: () => void }) {
  const { count, actions, onClear } = props
  const { table } = useTexts('common')
  const { bulk } = useTexts('filters')
  const format = useFormat()
  const chosen = table.chosen(format.count(count))
  return (
    <div className={classes.bar} role="toolbar" aria-label={bulk.actions}>
      <output className={classes.count}>{chosen}</output>
      {actions.map(({ label, icon: Icon, danger, disabledReason, onClick }) => (
        <button
          key={label}
          type="button"
          className={classes.action}
          data-danger={danger || undefined}
          aria-disabled={disabledReason !== undefined || undefined}
          title={disabledReason}
          onClick={
            disabledReason === undefined
              ? onClick
              : () => showDialog({ title: label, render: () => <p className={classes.reason}>{disabledReason}</p> })
          }
        >
          {Icon && <Icon size={16} stroke={1.7} aria-hidden />}
          {label}
        </button>
      ))}
      <button
        type="button"
        className={classes.clear}
        aria-label={bulk.none}
        title={bulk.none}
        onClick={({ currentTarget }) => {
          // The button disappears with the selection, so the focus moves to the checkboxes.
          firstBox(currentTarget)?.focus()
          onClear()
        }}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}

/** With its texts, which are read here and not where every list begins. */
export default late(async () => {
  await loadTexts('filters')
  return { default: BulkBar }
})

function firstBox(inside: HTMLElement): HTMLElement | undefined {
  const boxes = inside.closest('section')?.querySelectorAll<HTMLElement>('table input[type=checkbox]') ?? []
  return [...boxes].find((box) => box.offsetParent !== null)
}
