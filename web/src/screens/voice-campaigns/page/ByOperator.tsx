import { useFormat } from '../../../i18n/format.ts'
import { serverSentence, useTexts } from '../../../i18n/language.ts'
import classes from '../CampaignDetail.module.css'
import type { CampaignDetail } from './detail.ts'
import { isFinished } from '../progress.ts'
import { Section } from './Section.tsx'

/** Whose numbers are left, and why they wait. Nothing where the route names no operators, or when the campaign is over. */
export function ByOperatorSection({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const format = useFormat()
  if (!detail.byOperator || isFinished(detail)) return null
  const shown = detail.byOperator.filter(({ waiting, inCall }) => waiting + inCall > 0)
  if (shown.length === 0) return null
  return (
    <Section title={t.byOperator.title} wide>
      <dl className={classes.lines}>
        {shown.map(({ operator, waiting, inCall, reason }) => (
          <div key={operator}>
            <dt>{t.byOperator.operators[operator]}</dt>
            <dd>
              <span data-numeric>{t.byOperator.left(format.count(waiting), format.count(inCall))}</span>
              {reason !== null && <span className={classes.meaning}>{serverSentence(reason)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
