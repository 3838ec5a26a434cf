import { freezingRoutes } from '@ghanti/contract/freezing.ts'
import type { UserRow } from '@ghanti/contract/users.ts'
import { call } from '../../api/client.ts'
import { confirm, showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { FreezeForm } from './FreezeForm.tsx'
import { refreshFrozen } from './refresh.ts'

type About = Pick<UserRow, 'userId' | 'username'>
type Texts = TextsOf<'users'>['freezing']

export function askToFreeze({ userId, username }: About, t: Texts): void {
  showDialog({
    title: t.title(username),
    render: (close) => <FreezeForm userId={userId} username={username} close={close} />,
  })
}

/** First asks the server what goes on, so that the question is accurate. */
export async function askToLift({ userId, username }: About, t: Texts, format: Format): Promise<void> {
  const ask = ({ accounts, campaigns }: { accounts: number; campaigns: number }) =>
    confirm({
      title: username,
      verb: t.lift,
      question: [
        t.lifts.accounts(accounts, format.count),
        t.lifts.campaigns(campaigns, format.count),
        t.lifts.password,
      ].join(' '),
      failure: t.liftFailed,
      labels: { userId: username },
      reason: { required: true },
      onYes: async (reason) => {
        await call(freezingRoutes.freeze, { userId, frozen: false, reason }).finally(refreshFrozen)
        showDone(t.lifted(username))
      },
    })
  await call(freezingRoutes.reach, { userId }).then(ask, (error: unknown) => showFailure(error, { userId: username }))
}
