import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTexts } from '../../../i18n/language.ts'
import { late } from '../../ui/loading/late.tsx'
import type { ColumnChoice } from './columns.ts'
import classes from '../DataTable.module.css'
import type { Column } from '../DataTable.tsx'

const OpenListMenu = late(() => import('./OpenListMenu.tsx'))

export type Choosable<Row> = ColumnChoice<Row> & { columns: readonly Column<Row>[] }

type ListMenuProps<Row> = {
  /** Undefined where the screen has its own export. */
  csvHref: string | undefined
  onRefresh: () => void
  choice: Choosable<Row> | undefined
}

/** What else can be done with a list: its export, its refresh and its columns. A plain button until its first click. */
export function ListMenu<Row>({ csvHref, onRefresh, choice }: ListMenuProps<Row>) {
  const { table } = useTexts('common')
  const [mounted, setMounted] = useState(false)
  const button = (
    <button
      type="button"
      className={classes.listMenu}
      title={table.listMenu}
      aria-label={table.listMenu}
      aria-haspopup="dialog"
      onClick={() => setMounted(true)}
    >
      <IconDots size={18} stroke={1.7} aria-hidden />
    </button>
  )
  if (!mounted) return button
  return (
    <Suspense fallback={button}>
      <OpenListMenu
        button={button}
        csvHref={csvHref}
        onRefresh={onRefresh}
        choice={choice as unknown as Choosable<never> | undefined}
      />
    </Suspense>
  )
}
