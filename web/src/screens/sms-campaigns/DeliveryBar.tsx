import type { SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import bars from '../voice-campaigns/Bars.module.css'
import page from '../voice-campaigns/CampaignDetail.module.css'
import { deliverySegments } from './delivery.ts'
import classes from './SmsReport.module.css'

/** What became of the messages as one bar, in the colours of calls, and its legend. */
export function DeliveryBar({ summary }: { summary: SmsCampaignRow }) {
  const { report: t } = useTexts('smsCampaigns')
  const format = useFormat()
  const segments = deliverySegments(summary)
  if (segments.length === 0) return null
  const said = segments.map(({ name, count }) => ({ name, text: `${t.delivery[name]} ${format.count(count)}` }))
  const label = `${t.columns.deliveryStatus}: ${said.map(({ text }) => text).join(', ')}`
  return (
    <div className={classes.delivery}>
      <svg className={bars.bar} data-tall viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label={label}>
        <title>{label}</title>
        {segments.map(({ name, start, percent }) => (
          <rect key={name} className={bars.segment} data-delivery={name} x={start} width={percent} height="1" />
        ))}
      </svg>
      <ul className={page.legend} aria-label={t.columns.deliveryStatus}>
        {segments.map(({ name, count }) => (
          <li key={name}>
            <span className={bars.swatch} data-delivery={name} />
            <span>
              {t.delivery[name]} <strong data-numeric>{format.count(count)}</strong>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
