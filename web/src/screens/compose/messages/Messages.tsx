import { smsOccasions } from '@ghanti/contract/after-call.ts'
import { addressFields, hostOfAddress } from '@ghanti/contract/sms-address.ts'
import { useFormat } from '../../../i18n/format.ts'
import { useTexts } from '../../../i18n/language.ts'
import classes from '../Compose.module.css'
import type { ComposeForm } from '../form.ts'
import type { Preview } from '../queries.ts'
import { textsOfForm, wayOf } from './sms-form.ts'

type MessagesProps = {
  values: ComposeForm
  /** Undefined while unknown. */
  cost: NonNullable<Preview['estimate']>['messages'] | undefined
}

/** What follows the calls, for the review: addresses by host, our texts, and what those may cost. */
export function Messages({ values, cost }: MessagesProps) {
  const { sms, review: t } = useTexts('compose')
  const format = useFormat()
  const texts = textsOfForm(values)
  const ofAddresses = smsOccasions
    .filter((occasion) => wayOf(values, occasion) === 'address')
    .map((occasion) => `${sms[occasion]}: ${hostOfAddress(values[addressFields[occasion]].trim())}`)
  const ofTexts = texts.map(({ occasion, key, text }) => `${sms[occasion]}${key === null ? '' : ` ${key}`}: “${text}”`)
  const total =
    cost && t.messagesCost(format.rupees(cost.atMost), format.count(cost.segments), format.rupees(cost.perCallAtMost))
  return (
    <ul className={classes.played}>
      {[...ofAddresses, ...ofTexts].map((line) => (
        <li key={line}>{line}</li>
      ))}
      {texts.length > 0 && <li>{[t.messagesFrom(values.smsCli ?? ''), total].filter(Boolean).join(', ')}</li>}
    </ul>
  )
}
