import type { PlatformOverview } from '@ghanti/contract/overview.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { FewRows, type FewColumn } from '../../../components/table/FewRows.tsx'
import { Status, type StatusKind } from '../../../components/ui/Status.tsx'
import type { TextsOf } from '../../../i18n/areas.ts'
import { useFormat, type Format } from '../../../i18n/format.ts'
import { serverText, useTexts } from '../../../i18n/language.ts'
import cards from '../DashboardScreen.module.css'
import classes from '../Overview.module.css'
import { Section } from '../Section.tsx'
import { stateOf } from './trunk-state.ts'

type Texts = TextsOf<'overview'>['lines']
type Trunk = PlatformOverview['trunks'][number]

export function Lines({ overview: { trunks, trunksLeftOut, totals } }: { overview: PlatformOverview }) {
  const { lines: t } = useTexts('overview')
  const format = useFormat()
  const columns = useMemo(() => columnsOf(t, format), [t, format])
  const links = <Link to="/trunk-list">{trunksLeftOut > 0 ? t.leftOut(format.count(trunksLeftOut)) : t.all}</Link>
  if (trunks.length === 0)
    return (
      <Section title={t.title} links={<Link to="/create-trunk">{t.create}</Link>}>
        <p className={classes.none}>{t.none}</p>
      </Section>
    )
  return (
    <Section title={t.title} links={links}>
      {(id) => (
        <>
          <dl className={cards.cards}>
            <Total label={t.rate} used={totals.callsPerSecond} of={totals.cps} />
            <Total label={t.channels} used={totals.channelsUsed} of={totals.channels} />
          </dl>
          <FewRows labelledBy={id} columns={columns} rowId={({ trunkId }) => trunkId} rows={trunks} stacked />
        </>
      )}
    </Section>
  )
}

function Total({ label, used, of }: { label: string; used: number; of: number }) {
  const { lines: t } = useTexts('overview')
  const format = useFormat()
  return (
    <div className={cards.card}>
      <dt>{label}</dt>
      <dd data-numeric>{t.usedOf(format.count(used), format.count(of))}</dd>
      <dd className={cards.note}>
        <Use used={used} of={of} />
      </dd>
    </div>
  )
}

function Use({ used, of }: { used: number; of: number }) {
  return (
    <svg className={classes.use} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
      <rect width="100" height="1" />
      <rect data-used width={Math.min(100, (100 * used) / Math.max(1, of))} height="1" />
    </svg>
  )
}

const columnsOf = (t: Texts, format: Format): FewColumn<Trunk>[] => [
  {
    key: 'trunk',
    header: t.trunk,
    cell: ({ trunkId, trunkName }) => <Link to={`/update-trunk/${trunkId}`}>{trunkName}</Link>,
  },
  {
    key: 'state',
    header: t.state,
    cell: (trunk) => (
      <>
        <Status is={lightOf(trunk)}>{t.states[stateOf(trunk)]}</Status>
        {trunk.now?.held && <small>{serverText(trunk.now.held)}</small>}
      </>
    ),
  },
  {
    key: 'rate',
    header: t.rate,
    align: 'right',
    cell: ({ now, cps }) => t.usedOf(now ? format.count(now.callsPerSecond) : '–', format.count(Math.round(cps))),
  },
  {
    key: 'channels',
    header: t.channels,
    align: 'right',
    cell: ({ now, channels }) => (
      <>
        {t.usedOf(now ? format.count(now.channelsUsed) : '–', format.count(channels))}
        <Use used={now?.channelsUsed ?? 0} of={channels} />
      </>
    ),
  },
  {
    key: 'asr',
    header: t.asr,
    align: 'right',
    cell: ({ today: { asr, calls } }) => (
      <>
        {asr === null ? '–' : t.share(format.digits(String(asr)))}
        <small>{calls === 0 ? t.noCalls : t.calls(format.count(calls))}</small>
      </>
    ),
  },
]

const lights: Record<keyof Texts['states'], StatusKind> = {
  noEngine: 'neutral',
  unknown: 'neutral',
  held: 'problem',
  unreachable: 'problem',
  up: 'done',
}
const lightOf = (trunk: Trunk) => lights[stateOf(trunk)]
