import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import bars from '../Bars.module.css'
import { OutcomeBar, outcomeSegments } from '../Bars.tsx'
import classes from '../CampaignDetail.module.css'
import { Section } from './Section.tsx'

export function Outcomes({ outcomes }: { outcomes: CampaignRow['outcomes'] }) {
  const { outcomes: t } = useTexts('voiceCampaigns')
  const { detail, outcomeMeanings } = useTexts('campaignDetail')
  const format = useFormat()
  const segments = outcomeSegments(outcomes)
  return (
    <Section title={detail.outcomes} wide>
      {segments.length === 0 && <p className={classes.meaning}>{t.none}</p>}
      <OutcomeBar tall outcomes={outcomes} />
      <ul className={classes.legend}>
        {segments.map(({ name, count, percent }) => (
          <li key={name}>
            <span className={bars.swatch} data-outcome={name} />
            <span>
              <strong>{t.names[name]}</strong>{' '}
              <span data-numeric>{t.share(format.count(count), format.digits(percentText(percent)))}</span>
              <span className={classes.meaning}>{outcomeMeanings[name]}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Whole per cents, but never 0 for an outcome that occurred. */
export function percentText(percent: number): string {
  return percent > 0 && percent < 1 ? '<1' : String(Math.round(percent))
}
