import { Button } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTexts } from '../../../i18n/language.ts'
import { late } from '../../ui/loading/late.tsx'
import type { ColumnChoice } from './columns.ts'
import classes from '../DataTable.module.css'
import type { Column } from '../DataTable.tsx'

const ColumnsMenu = late(() => import('./ColumnsMenu.tsx'))

export type Choosable<Row> = ColumnChoice<Row> & { columns: readonly Column<Row>[] }

export function ColumnsButton<Row>({ choice }: { choice: Choosable<Row> }) {
  const { table } = useTexts('common')
  const [mounted, setMounted] = useState(false)
  const button = (
    <Button
      className={classes.icon ?? ''}
      variant="default"
      title={table.columns}
      aria-haspopup="dialog"
      leftSection={<IconColumns3 size={16} stroke={1.7} aria-hidden />}
      onClick={() => setMounted(true)}
    >
      {table.columns}
    </Button>
  )
  if (!mounted) return button
  return (
    <Suspense fallback={button}>
      <ColumnsMenu button={button} choice={choice as unknown as Choosable<never>} />
    </Suspense>
  )
}
