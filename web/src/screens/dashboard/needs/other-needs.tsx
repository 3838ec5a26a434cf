import type { PlatformOverview, ResellerOverview } from '@ghanti/contract/overview.ts'
import { Link } from 'react-router'
import type { TextsOf } from '../../../i18n/areas.ts'
import type { Format } from '../../../i18n/format.ts'
import { serverSentence, serverText } from '../../../i18n/language.ts'
import { titleOf } from '../../alerts/alert-title.ts'
import { isInTrouble, stateOf } from '../now/trunk-state.ts'
import { Go, type Need } from './NeedsCard.tsx'

type Texts = TextsOf<'overview'>

/** The customer whose balance is lowest, and how many are low. */
export function lowNeeds({ low, lowInAll }: ResellerOverview, { low: t }: Texts, format: Format): Need[] {
  const [first] = low
  if (!first) return []
  const { username, userId, free, limit } = first
  return [
    {
      key: 'low',
      title: (
        <>
          <Link to={`/customers/${userId}`}>{username}</Link> {t.isLow}
          {lowInAll > 1 && (
            <>
              {' · '}
              <Link to="/user-list?sort=credits">{t.more(format.count(lowInAll))}</Link>
            </>
          )}
        </>
      ),
      text: t.left(format.rupees(free), format.rupees(limit)),
      act: <Go to={`/customers/${userId}`} label={t.recharge} about={username} />,
    },
  ]
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

type Words = { t: Texts; alerts: TextsOf<'alerts'>; format: Format }

/** Trunks that carry no calls, then what a super admin has stopped, alerts, and what waits for a decision. */
export function platformNeeds(overview: PlatformOverview, { t, alerts: words, format }: Words): Need[] {
  const { trunks, alerts, waiting, stopped } = overview
  const [alert] = alerts.first
  return [
    ...trunks.filter(isInTrouble).map((trunk) => ({
      key: `trunk ${trunk.trunkId}`,
      title: t.lines.inTrouble(trunk.trunkName, t.lines.states[stateOf(trunk)]),
      text: trunk.now?.held ? serverSentence(trunk.now.held) : null,
      act: <Go to={`/update-trunk/${trunk.trunkId}`} label={t.needs.show} about={trunk.trunkName} />,
    })),
    ...stopped.map(({ dialBlockId, target, reason, by }) => ({
      key: `stopped ${dialBlockId}`,
      title: t.stopped.of(serverText(target)),
      text: `${reason} · ${t.stopped.by(by)}`,
      act: <Go to="/stop-dialling" label={t.needs.show} about={serverText(target)} />,
    })),
    ...(alert
      ? [
          {
            key: 'alerts',
            title: t.alerts.title(format.count(alerts.open)),
            text: `${titleOf(alert, words)}: ${serverText(alert.subject)}`,
            act: <Go to="/alerts" label={t.needs.show} about={t.alerts.title(format.count(alerts.open))} />,
          },
        ]
      : []),
    ...waitingKinds
      .filter((kind) => waiting[kind] > 0)
      .map((kind) => ({
        key: kind,
        title: t.waiting.of(t.waiting.kinds[kind], format.count(waiting[kind])),
        act: <Go to={placeOf[kind]} label={t.waiting.decide} about={t.waiting.kinds[kind]} />,
      })),
  ]
}
