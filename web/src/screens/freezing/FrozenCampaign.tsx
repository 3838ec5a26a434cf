import type { SmsCampaignSummary } from '@ghanti/contract/sms-campaigns.ts'
import { Button } from '@mantine/core'
import { showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import FrozenBar from './FrozenBar.tsx'

type FrozenCampaignProps = {
  frozen: NonNullable<SmsCampaignSummary['frozen']>
  /** Over everything of the campaign; absent: in place of the button that pauses or resumes it. */
  bar?: 'calls' | 'messages'
  campaignName: string
}

/** Whoever may lift the freeze does; everybody else reads who can. The area of texts `users` is loaded with it. */
export default function FrozenCampaign({ frozen, bar, campaignName }: FrozenCampaignProps) {
  const { frozen: t, freezing } = useTexts('users')
  const format = useFormat()
  const who = t.lifters[frozen.mayLift ? 'you' : frozen.byPlatform ? 'platform' : 'above']
  if (bar) return <FrozenBar title={t.barTitle} text={`${t.bar[bar](frozen.username)} ${who}`} />
  if (frozen.mayLift) {
    const lift = () => void import('./ask.tsx').then((ask) => ask.askToLift(frozen, freezing, format), showFailure)
    return <Button onClick={lift}>{freezing.lift}</Button>
  }
  const why = t.why(frozen.username, who)
  const explain = () => showDialog({ title: campaignName, render: () => <p>{why}</p> })
  return (
    <Button variant="default" aria-disabled title={why} onClick={explain}>
      {t.held}
    </Button>
  )
}
