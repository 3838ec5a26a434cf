import { freeOf } from '../../api/balance.ts'
import { useSession } from '../../api/session.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'

/** The viewer's current balance; null for super admins, who have none. */
export function useOwnBalance(): { free: string; reserved: string | null } | null {
  const { shell } = useTexts('common')
  const format = useFormat()
  const { balance, role } = useSession()
  if (!balance || role === 'superAdmin') return null
  return {
    free: format.rupees(freeOf(balance)),
    reserved: balance.reserved > 0 ? shell.reserved(format.rupees(balance.reserved)) : null,
  }
}
