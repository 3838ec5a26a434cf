import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import bars from '../../voice-campaigns/Bars.module.css'
import { outcomeSegments } from '../../voice-campaigns/Bars.tsx'
import classes from './Hero.module.css'

/** How the calls ended, in the colours of the bar above it. */
export function Legend({ outcomes }: { outcomes: CampaignRow['outcomes'] }) {
  const { outcomes: t } = useTexts('voiceCampaigns')
  const format = useFormat()
  return (
    <ul className={classes.legend}>
      {outcomeSegments(outcomes).map(({ name, count }) => (
        <li key={name}>
          <span className={bars.swatch} data-outcome={name} />
          {t.names[name]} <b data-numeric>{format.count(count)}</b>
        </li>
      ))}
    </ul>
  )
}
