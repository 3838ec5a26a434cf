import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './CampaignDetail.module.css'
import { statusLabel } from './cells.tsx'
import type { CampaignDetail } from './detail.ts'
import { Section } from './Section.tsx'

/** Status changes, newest first, back to its composition. */
export function History({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('voiceCampaigns')
  return (
    <Section title={t.detail.history}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <ol className={classes.history} tabIndex={0}>
        {detail.history.map(({ at, from, to, reason, by }, index) => (
          <li key={`${at} ${detail.history.length - index}`}>
            <NepalTime wire={at} seconds />
            <span>
              <strong>{t.history.from(statusLabel(from, t), statusLabel(to, t))}</strong>
              {` · ${t.history.by(by ?? t.history.system)}`}
              {reason !== null && <span className={classes.meaning}>{serverText(reason)}</span>}
            </span>
          </li>
        ))}
        <li>
          <NepalTime wire={detail.composedAt} seconds />
          <span>
            <strong>{t.history.composed}</strong>
            {` · ${t.history.by(detail.username)}`}
          </span>
        </li>
      </ol>
    </Section>
  )
}
