import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { Status } from '../../components/ui/Status.tsx'
import { useTexts } from '../../i18n/language.ts'
import { toneOf } from '../voice-campaigns/progress.ts'

/** Nothing for a code that is not in the contract's table. */
export function SmsStatus({ code }: { code: number }) {
  const t = useTexts('smsCampaigns')
  const status = campaignStatusOf(code)
  if (!status) return null
  return (
    <Status badge is={toneOf[status]}>
      {t.status[status]}
    </Status>
  )
}
