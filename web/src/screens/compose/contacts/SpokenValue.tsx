import type { ReadValue } from '@ghanti/contract/contacts.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from './ContactsPreview.module.css'

/** Below a cell of the preview: what a call says of it, and what it leaves out, where that is not what is written. */
export function SpokenValue({ written, read }: { written: string | undefined; read: ReadValue | undefined }) {
  const { preview: t } = useTexts('compose')
  const format = useFormat()
  if (!read || written === undefined || isSame(written, read)) return null
  const { kind, value, leftOut } = read
  const said = kind === 'amount' ? format.rupees(Number(value)) : value
  return (
    <>
      {kind !== 'month' && <span className={classes.spoken}>{t.spoken(said)}</span>}
      {leftOut.length > 0 && <span className={classes.spoken}>{t.leftOut(leftOut.join(' '))}</span>}
    </>
  )
}

function isSame(written: string, { kind, value, leftOut }: ReadValue): boolean {
  if (leftOut.length > 0) return false
  if (kind === 'month') return true
  if (kind === 'amount') return /^\d+(?:\.\d+)?$/.test(written)
  return written.replace(/\s+/g, ' ').trim() === value
}
