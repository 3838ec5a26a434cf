import type { CallsNow } from '@ghanti/contract/overview.ts'
import { Button } from '@mantine/core'
import { Link, useNavigate } from 'react-router'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { useSession } from '../../../api/session.ts'
import { useIdleLoad } from '../../../components/ui/loading/use-idle-load.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import { actionOf, importPerform } from '../../voice-campaigns/actions.tsx'
import { OutcomeBar, ProgressBar } from '../../voice-campaigns/Bars.tsx'
import { ProgressText, StatusBadge, toneOfRow } from '../../voice-campaigns/cells.tsx'
import { pauseOrResume } from '../../voice-campaigns/pause-or-resume.ts'
import { isFinished, progressShare } from '../../voice-campaigns/progress.ts'
import { answeredShare, calledOf, saidOf } from './hero.ts'
import classes from './Hero.module.css'
import { Legend } from './Legend.tsx'
import { Pressed } from './Pressed.tsx'

const running = '/voice-campaign-summary?status=running,pausing,resuming'

/** What calls now: a user's campaign, or those of all accounts below; when nothing does, the last campaign with its result. */
export function Hero({ now }: { now: CallsNow }) {
  const { role } = useSession()
  const [first] = now.campaigns
  if (role !== 'user' && now.running > 0) return <CallsHero now={now} />
  const shown = first ?? now.last
  return shown ? <CampaignHero row={shown} now={now} /> : <NoneYet />
}

function CampaignHero({ row, now }: { row: CampaignRow; now: CallsNow }) {
  const { now: t } = useTexts('overview')
  const campaigns = useTexts('voiceCampaigns')
  const format = useFormat()
  const { role } = useSession()
  const go = useNavigate()
  useIdleLoad(importPerform)
  const context = { role, t: campaigns, go: (path: string) => void go(path) }
  const act = pauseOrResume(row, context)
  const pdf = actionOf('summaryPdf', row, context)
  const place = `/voice-campaign-summary/${row.campaignId}`
  const isOver = isFinished(row)
  const [called, answered] = [calledOf(row), row.callsConnected]
  const others = now.running - (isOver || now.running === 0 ? 0 : 1)
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <div className={classes.main}>
        {isOver && <p className={classes.eyebrow}>{t.last}</p>}
        <h2 id="hero-title">
          <Link to={place}>{row.campaignName}</Link>
        </h2>
        <p className={classes.state}>
          <StatusBadge row={row} />
          {!isOver && <ProgressText row={row} />}
          <small>{role === 'user' ? format.phone(row.cli) : row.username}</small>
        </p>
        <Share
          share={answeredShare(answered, called)}
          said={saidOf({ answered, called, outcomes: row.outcomes }, t, format.count)}
          beside={row.dtmfCount > 0 ? t.pressed(format.count(row.dtmfCount)) : ''}
        />
        <OutcomeBar tall outcomes={row.outcomes} />
        <Legend outcomes={row.outcomes} />
        <div className={classes.actions}>
          {isOver && role === 'user' && (
            <Button component={Link} to="/add-voice-campaign">
              {t.newCampaign}
            </Button>
          )}
          <Button component={Link} to={place} variant={isOver && role === 'user' ? 'default' : 'filled'}>
            {t.open}
          </Button>
          {!isOver && act.disabledReason === undefined && (
            <Button variant="default" aria-label={`${act.label}: ${row.campaignName}`} onClick={act.onClick}>
              {act.label}
            </Button>
          )}
          {row.attempts > 0 && (
            <Button variant="default" aria-label={`${t.pdf}: ${row.campaignName}`} onClick={pdf.onClick}>
              {t.pdf}
            </Button>
          )}
          {others > 0 && <Link to={running}>{t.others(format.count(others))}</Link>}
        </div>
      </div>
      <Pressed menus={now.menus} />
    </section>
  )
}

/** All that call in the accounts below: the sum, and the campaigns with most people left. */
function CallsHero({ now }: { now: CallsNow }) {
  const { now: t } = useTexts('overview')
  const format = useFormat()
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <div className={classes.main}>
        <h2 id="hero-title">{t.title}</h2>
        <p className={classes.state}>
          <small>{t.running(format.count(now.running))}</small>
          <small>{t.inCall(format.count(now.inCall))}</small>
        </p>
        <Share share={answeredShare(now.answered, now.called)} said={saidOf(now, t, format.count)} />
        <OutcomeBar tall outcomes={now.outcomes} />
        <Legend outcomes={now.outcomes} />
        <div className={classes.actions}>
          <Button component={Link} to={running}>
            {t.open}
          </Button>
        </div>
      </div>
      <div className={classes.side}>
        <h3>{t.most}</h3>
        <ul className={classes.campaigns}>
          {now.campaigns.map((row) => (
            <li key={row.campaignId}>
              <Link to={`/voice-campaign-summary/${row.campaignId}`}>{row.campaignName}</Link>
              <small>{row.username}</small>
              <span data-numeric>{t.share(format.count(Math.floor(progressShare(row) * 100)))}</span>
              <ProgressBar share={progressShare(row)} attempts={row.attempts} tone={toneOfRow(row)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Share({ share, said, beside = '' }: { share: number | null; said: string; beside?: string }) {
  const { now: t } = useTexts('overview')
  const format = useFormat()
  return (
    <p className={classes.share}>
      <strong data-numeric>{share === null ? '–' : t.share(format.count(share))}</strong>
      <span>{[said, beside].filter(Boolean).join(' ')}</span>
    </p>
  )
}

function NoneYet() {
  const { now: t } = useTexts('overview')
  const { role } = useSession()
  return (
    <section className={classes.hero} aria-labelledby="hero-title">
      <div className={classes.main}>
        <h2 id="hero-title">{role === 'user' ? t.noneYet : t.noneBelow}</h2>
        <div className={classes.actions}>
          {role === 'user' ? (
            <Button component={Link} to="/add-voice-campaign">
              {t.newCampaign}
            </Button>
          ) : (
            <Button component={Link} to="/voice-campaign-summary" variant="default">
              {t.all}
            </Button>
          )}
        </div>
      </div>
    </section>
  )
}
