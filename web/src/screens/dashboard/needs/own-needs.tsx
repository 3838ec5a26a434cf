import type { Need as OwnNeed, NeedKind, OwnOverview } from '@ghanti/contract/overview.ts'
import { Link } from 'react-router'
import type { TextsOf } from '../../../i18n/areas.ts'
import type { Format } from '../../../i18n/format.ts'
import { serverText } from '../../../i18n/language.ts'
import { Hold } from '../../voice-campaigns/hold/Hold.tsx'
import { AskProvider } from '../../voice-campaigns/hold/Provider.tsx'
import { Go, type Need } from './NeedsCard.tsx'

const placeOf: Record<NeedKind, string> = {
  lowBalance: '/credits-history',
  noCli: '/cli-list',
  campaignsHeld: '/voice-campaign-summary?status=onHold,lowBalance',
  campaignsFailed: '/voice-campaign-summary?status=failed,refused',
  smsHeld: '/sms-campaign-summary?status=onHold,lowBalance',
  smsFailed: '/sms-campaign-summary?status=failed,refused',
  promptsRejected: '/voice-files?promptStatus=2',
  packsRejected: '/voice-packs',
  sendersRejected: '/sms-sender-ids?cliStatus=2',
  textsRejected: '/sms-texts?textStatus=2',
  exportsReady: '/my-exports',
}

type Words = {
  t: TextsOf<'overview'>['needs']
  format: Format
  /** 'Ask Sagarmatha Voice (98510 12345).'; '' where nobody is above. */
  ask: string
  username: string
}

/** What the account itself has to act on, in the server's order. */
export function ownNeeds({ needs, lowBalanceLimit }: OwnOverview, words: Words): Need[] {
  return needs.map((need) => lineOf(need, lowBalanceLimit, words))
}

function lineOf(need: OwnNeed, lowBalanceLimit: number, { t, format, ask, username }: Words): Need {
  const { kind, count, about, reason, hold } = need
  const title = t.kinds[kind](format.count(count))
  if (kind === 'lowBalance' || kind === 'noCli') {
    const below = kind === 'lowBalance' ? t.below(format.rupees(lowBalanceLimit)) : ''
    return {
      key: kind,
      title: <Link to={placeOf[kind]}>{title}</Link>,
      text: [below, ask].filter(Boolean).join(' '),
      act: <AskProvider about={title} />,
    }
  }
  if (hold && about !== null) {
    const isSms = kind === 'smsHeld'
    const place = isSms ? `/sms-campaign-report/${hold.campaignId}` : `/voice-campaign-summary/${hold.campaignId}`
    return {
      key: kind,
      title: (
        <>
          <Link to={place}>{about}</Link> {t.waits}
          {count > 1 && (
            <>
              {' · '}
              <Link to={placeOf[kind]}>{title}</Link>
            </>
          )}
        </>
      ),
      text: <Hold held={{ ...hold, campaignName: about, isSms, reason, username }} />,
    }
  }
  return {
    key: kind,
    title,
    text: [about, reason && serverText(reason)].filter(Boolean).join(': '),
    act: <Go to={placeOf[kind]} label={t.show} about={title} />,
  }
}
