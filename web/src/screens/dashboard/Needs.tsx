import type { NeedKind, OwnOverview } from '@ghanti/contract/overview.ts'
import { Link } from 'react-router'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Overview.module.css'
import { Section } from './Section.tsx'

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

/** What needs the account's attention, each a link to where to handle it. */
export function Needs({ overview: { needs, lowBalanceLimit } }: { overview: OwnOverview }) {
  const { needs: t } = useTexts('overview')
  const format = useFormat()
  return (
    <Section title={t.title}>
      {needs.length === 0 ? (
        <p className={classes.none}>{t.none}</p>
      ) : (
        <ul className={classes.list}>
          {needs.map(({ kind, count, about, reason }) => {
            const more = kind === 'lowBalance' ? t.below(format.rupees(lowBalanceLimit)) : about
            return (
              <li key={kind}>
                <Link to={placeOf[kind]}>{t.kinds[kind](format.count(count))}</Link>
                {more && <small>{[more, reason && serverText(reason)].filter(Boolean).join(': ')}</small>}
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
