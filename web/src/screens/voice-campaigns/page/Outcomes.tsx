import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import bars from '../Bars.module.css'
import { OutcomeBar, outcomeSegments } from '../Bars.tsx'
import classes from '../CampaignDetail.module.css'

/** The outcomes of the attempts as one bar, and its legend. */
export function Outcomes({ outcomes }: { outcomes: CampaignRow['outcomes'] }) {
  const { outcomes: t } = useTexts('voiceCampaigns')
  const { detail } = useTexts('campaignDetail')
  const format = useFormat()
  const segments = outcomeSegments(outcomes)
  if (segments.length === 0) return null
  return (
    <div>
      <OutcomeBar tall outcomes={outcomes} />
      <ul className={classes.legend} aria-label={detail.outcomes}>
        {segments.map(({ name, count, percent }) => (
          <li key={name}>
            <span className={bars.swatch} data-outcome={name} />
            <span>
              {t.names[name]}{' '}
              <strong data-numeric>{t.share(format.count(count), format.digits(percentText(percent)))}</strong>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Whole per cents, but never 0 for an outcome that occurred. */
export function percentText(percent: number): string {
  return percent > 0 && percent < 1 ? '<1' : String(Math.round(percent))
}
