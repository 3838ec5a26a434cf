import { dialerRoutes, type DialerRow } from '@ghanti/contract/dialers.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'

type Dialer = Pick<
  DialerRow,
  'dialerId' | 'dialerName' | 'dialerCalls' | 'callCampaigns' | 'callAccounts' | 'givenUp' | 'state'
>
type Texts = TextsOf<'lines'>['dialers']

/** Why it cannot be given up now; undefined when it can. */
export function whyKept({ givenUp, state }: Dialer, t: Texts): string | undefined {
  if (givenUp) return t.givenUpAlready
  return state?.reachable ? t.answers : undefined
}

export function giveUp(dialer: Dialer, t: Texts, { count }: Format): void {
  const { dialerId, dialerName, dialerCalls, callCampaigns, callAccounts } = dialer
  confirm({
    title: dialerName,
    verb: t.giveUp,
    question: t.giveUpQuestion(count(dialerCalls), count(callCampaigns), count(callAccounts)),
    failure: t.giveUpFailed,
    labels: { dialerId: dialerName },
    reason: { required: true },
    danger: true,
    onYes: (reason) =>
      call(dialerRoutes.giveUp, { dialerId, reason }).finally(() => refresh(dialerRoutes.list, dialerRoutes.detail)),
  })
}
