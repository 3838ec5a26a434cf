import { campaignStatusOf } from '@ghanti/contract/campaign-status.ts'
import { refusedKeptMax } from '@ghanti/contract/refused.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { fileAddress } from '../../../api/client.ts'
import { NepalTime } from '../../../components/ui/NepalTime.tsx'
import { useFormat } from '../../../i18n/format.ts'
import { serverSentence, useTexts } from '../../../i18n/language.ts'
import classes from '../CampaignDetail.module.css'
import { statusLabel } from '../cells.tsx'
import type { CampaignDetail } from './detail.ts'
import { Section } from './Section.tsx'

export default function FileAndHistory({ detail }: { detail: CampaignDetail }) {
  return (
    <div className={classes.stack}>
      <FileSection detail={detail} />
      <History detail={detail} />
    </div>
  )
}

function History({ detail }: { detail: CampaignDetail }) {
  const t = useTexts('campaignDetail')
  const campaigns = useTexts('voiceCampaigns')
  return (
    <Section title={t.detail.history}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <ol className={classes.history} tabIndex={0}>
        {detail.history.map(({ at, from, to, reason, by }, index) => (
          <li key={`${at} ${detail.history.length - index}`}>
            <NepalTime wire={at} seconds />
            <span>
              <strong>{t.history.from(statusLabel(from, campaigns), statusLabel(to, campaigns))}</strong>
              {` · ${t.history.by(by ?? t.history.system)}`}
              {reason !== null && <span className={classes.meaning}>{serverSentence(reason)}</span>}
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

/** rows = accepted + invalid + duplicate, and a link to the refused ones. */
function FileSection({ detail }: { detail: CampaignDetail }) {
  const { detail: titles, file } = useTexts('campaignDetail')
  const format = useFormat()
  const { campaignId, rowsInFile, numbersUploaded, invalid, duplicate, refusedKept } = detail
  const isRead = campaignStatusOf(detail.campaignStatus) !== 'processing'
  return (
    <Section title={titles.file}>
      {isRead ? (
        <>
          <p className={classes.sum} data-numeric>
            {`${file.rows} ${format.count(rowsInFile)} = ${format.count(numbersUploaded)} ${file.uploaded}`}
            {` + ${format.count(invalid)} ${file.invalid} + ${format.count(duplicate)} ${file.duplicate}`}
          </p>
          {invalid + duplicate > 0 ? (
            <p>
              <a href={fileAddress(campaignDetailRoutes.refusedCsv, { campaignId })} download>
                {file.refused}
              </a>
              {refusedKept < invalid + duplicate && (
                <span className={classes.meaning}>
                  {file.firstOf(
                    format.count(refusedKept),
                    format.count(invalid + duplicate),
                    format.count(refusedKeptMax),
                  )}
                </span>
              )}
            </p>
          ) : (
            <p className={classes.meaning}>{file.noneRefused}</p>
          )}
        </>
      ) : (
        <p className={classes.meaning}>{file.waiting}</p>
      )}
    </Section>
  )
}
