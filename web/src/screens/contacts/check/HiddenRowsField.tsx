import type { HiddenRows } from '@ghanti/contract/contacts.ts'
import { Segments } from '../../../components/form/Segments.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from './HiddenRowsField.module.css'

const ways = ['leave', 'take'] as const
type HiddenRowsFieldProps = { count: number; value: HiddenRows; onChange: (chosen: HiddenRows) => void }

/** Asks whether rows that a filter or somebody has hidden in the sheet are called, too. */
export function HiddenRowsField({ count, value, onChange }: HiddenRowsFieldProps) {
  const { hidden: t } = useTexts('contactTable')
  const format = useFormat()
  const label = t.count(count, format.count(count))
  return (
    <div className={classes.hidden}>
      <span aria-hidden>{label}</span>
      <Segments
        label={label}
        value={value}
        onChange={onChange}
        data={ways.map((way) => ({ value: way, label: t[way] }))}
      />
    </div>
  )
}
