import { IconDots } from '@tabler/icons-react'
import { Suspense, useState, type ReactElement, type ReactNode, type Ref } from 'react'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { late } from '../../ui/loading/late.tsx'
import type { ColumnChoice } from './columns.ts'
import classes from '../DataTable.module.css'
import type { Column } from '../DataTable.tsx'
import type { FilterWords } from '../filters/filters.ts'
import type { ListView } from '../use-list.ts'

const OpenListMenu = late(() => import('./OpenListMenu.tsx'))
const Sheet = late(() => import('../sheet/Sheet.tsx'))

export type Choosable<Row> = ColumnChoice<Row> & { columns: readonly Column<Row>[] }

export type ListMenuProps<Row> = {
  columns: readonly Column<Row>[]
  list: ListView<Row>
  filters: FilterWords | undefined
  /** Undefined where the screen has its own export. */
  csvHref: string | undefined
  choice: Choosable<Row> | undefined
  /** What the screen adds to its toolbar. */
  children?: ReactNode
}
/** What the list has beside its rows, opened by that button. */
export type OpenedListMenu = ListMenuProps<never> & {
  button: ReactElement<{ ref: Ref<HTMLButtonElement>; onClick: () => void }>
}

/**
 * What else can be done with a list: its export, its refresh and its columns. Above cards another button, on a sheet, has all that the toolbar
 * has beside the search. Plain buttons until their first click.
 */
export function ListMenu<Row>(props: ListMenuProps<Row>) {
  const of = props as unknown as ListMenuProps<never>
  const set = Object.keys(of.list.filters?.set ?? {}).length
  return (
    <>
      <Opener className={classes.sheetButton} set={set} Opened={Sheet} of={of} />
      <Opener className={classes.listMenu} set={0} Opened={OpenListMenu} of={of} />
    </>
  )
}

type OpenerProps = {
  className: string | undefined
  /** How many filters are set, where the button leads to them. */
  set: number
  Opened: typeof Sheet
  of: ListMenuProps<never>
}

function Opener({ className, set, Opened, of }: OpenerProps) {
  const { table } = useTexts('common')
  const count = useFormat().count(set)
  const [mounted, setMounted] = useState(false)
  const button = (
    <button
      type="button"
      className={className}
      title={table.listMenu}
      aria-label={set > 0 ? `${table.listMenu} ${count}` : table.listMenu}
      aria-haspopup="dialog"
      onClick={() => setMounted(true)}
    >
      <IconDots size={18} stroke={1.7} aria-hidden />
      {set > 0 && <span className={classes.count}>{count}</span>}
    </button>
  )
  if (!mounted) return button
  return (
    <Suspense fallback={button}>
      <Opened button={button} {...of} />
    </Suspense>
  )
}
