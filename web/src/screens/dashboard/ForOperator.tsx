import { overviewRoutes, type PlatformOverview } from '@ghanti/contract/overview.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { jsonQuery } from '../../api/query.ts'
import { Failure } from '../../components/ui/failures/Failure.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import { titleOf } from '../alerts/alert-title.ts'
import { Lines } from './Lines.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'

/** The server reads once for all concurrent requests. */
const againMs = 2_000

export default function ForOperator() {
  const query = useQuery({ ...jsonQuery(overviewRoutes.platform, {}), refetchInterval: againMs })
  const { data: overview, error } = query
  if (!overview && error) return <Failure error={error} onRetry={() => void query.refetch()} />
  if (!overview) return <div className={classes.loading} aria-busy />
  return (
    <div className={classes.parts}>
      <FirstSteps />
      <Lines overview={overview} />
      <div className={classes.two}>
        <Waiting waiting={overview.waiting} />
        <Alerts alerts={overview.alerts} />
        <Stopped stopped={overview.stopped} />
      </div>
    </div>
  )
}

const placeOf = {
  prompts: '/voice-files',
  packs: '/voice-packs?waiting=1',
  senders: '/sms-sender-ids',
  texts: '/sms-texts',
  values: '/sms-campaign-summary?values=waiting',
  domains: '/branding',
} as const satisfies Record<keyof PlatformOverview['waiting'], string>
const waitingKinds = Object.keys(placeOf) as (keyof typeof placeOf)[]

function Waiting({ waiting }: Pick<PlatformOverview, 'waiting'>) {
  const { waiting: t } = useTexts('overview')
  const format = useFormat()
  const some = waitingKinds.filter((kind) => waiting[kind] > 0)
  return (
    <Section title={t.title}>
      {some.length === 0 ? (
        <p className={classes.none}>{t.none}</p>
      ) : (
        <ul className={classes.list}>
          {some.map((kind) => (
            <li key={kind}>
              <Link to={placeOf[kind]}>{t.kinds[kind]}</Link>: {format.count(waiting[kind])}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Alerts({ alerts: { open, first } }: Pick<PlatformOverview, 'alerts'>) {
  const { alerts: t } = useTexts('overview')
  const words = useTexts('alerts')
  const format = useFormat()
  return (
    <Section title={t.title(format.count(open))} links={<Link to="/alerts">{t.all}</Link>}>
      {first.length === 0 ? (
        <p className={classes.none}>{t.none}</p>
      ) : (
        <ul className={classes.list}>
          {first.map((alert) => (
            <li key={alert.alertId}>
              {titleOf(alert, words)}: {serverText(alert.subject)}
              <small>
                {serverText(alert.detail)} · <NepalTime wire={alert.raisedAt} relative />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Stopped({ stopped }: Pick<PlatformOverview, 'stopped'>) {
  const { stopped: t } = useTexts('overview')
  return (
    <Section title={t.title} links={<Link to="/stop-dialling">{t.all}</Link>}>
      {stopped.length === 0 ? (
        <p className={classes.none}>{t.none}</p>
      ) : (
        <ul className={classes.list}>
          {stopped.map(({ dialBlockId, target, reason, by, since }) => (
            <li key={dialBlockId}>
              {serverText(target)}
              <small>
                {reason} · {t.by(by)} · <NepalTime wire={since} relative />
              </small>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
