import { contactRoutes } from '@ghanti/contract/contacts.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import type { ColumnOrder, ColumnOrders } from '@ghanti/contract/date-orders.ts'
import { repeatRoutes } from '@ghanti/contract/repeats.ts'
import { useState } from 'react'
import { useWrite } from '../../api/query.ts'
import { Segments } from '../../components/form/Segments.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './DateOrders.module.css'

const stale = [contactRoutes.detail, composeRoutes.preview, repeatRoutes.next]
type DateOrdersProps = { baseId: number; orders: ColumnOrders }

/** Of each column whose dates depend on it: whether the day or the month stands first, which people choose where the file does not say. */
export default function DateOrders({ baseId, orders }: DateOrdersProps) {
  return (
    <>
      {Object.entries(orders).map(([column, order]) => (
        <OrderOf key={column} baseId={baseId} column={column} order={order} />
      ))}
    </>
  )
}

/** `order`: as the file was read last; what was chosen since then is shown at once. */
function OrderOf({ baseId, column, order: read }: { baseId: number; column: string; order: ColumnOrder }) {
  const t = useTexts('dateOrders')
  const write = useWrite(contactRoutes.update, stale)
  const [chosen, setChosen] = useState<ColumnOrder | null>(null)
  const order = chosen ?? read
  const choices = ['dmy', 'mdy'] as const
  return (
    <div className={classes.order} data-asked={order === 'ask' || undefined}>
      <span className={classes.question}>{t.title(column)}</span>
      <Segments<ColumnOrder>
        label={t.title(column)}
        value={order}
        onChange={(next) =>
          write.mutate({ input: { baseId, dateOrders: { [column]: next } } }, { onSuccess: () => setChosen(next) })
        }
        data={choices.map((value) => ({ value, label: t.orders[value] }))}
        disabled={write.isPending}
      />
      <p className={classes.hint}>{order === 'ask' ? t.ask : t.chosen}</p>
      {write.error && <Failed error={write.error} labels={t.fields} />}
    </div>
  )
}
