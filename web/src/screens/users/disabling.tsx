import { customerRoutes } from '@ghanti/contract/customers.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { userRoutes, type UserRow } from '@ghanti/contract/users.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { confirm, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'

type Texts = TextsOf<'users'>
type About = Pick<UserRow, 'userId' | 'username'>
type Reach = ReplyOf<typeof userRoutes.disabling>

/** First asks the server what stops together with the account, so that the question is accurate. */
export function askToDisable(row: About, t: Texts, format: Format): Promise<void> {
  const stops = t.disableStops
  return afterCount(row, ({ accounts, campaigns }) =>
    askTo(true, row, t, [
      stops.accounts(accounts, format.count),
      stops.campaigns(campaigns, format.count),
      stops.reason,
    ]),
  )
}

/** `stoppedBy`: an account above that is disabled too. */
export function askToEnable(row: About & Pick<UserRow, 'stoppedBy'>, t: Texts, format: Format): Promise<void> {
  const starts = t.enableStarts
  if (row.stoppedBy !== null) {
    askTo(false, row, t, [t.staysStopped(row.stoppedBy)])
    return Promise.resolve()
  }
  return afterCount(row, ({ accounts, campaigns }) =>
    askTo(false, row, t, [starts.accounts(accounts, format.count), starts.campaigns(campaigns, format.count)]),
  )
}

/** Super admins are the platform together, so nothing else stops with one of them. */
export function askOfSuperAdmin(row: About, disabled: boolean, t: Texts): void {
  askTo(disabled, row, t, [disabled ? t.superAdmins.disableDetails : t.superAdmins.enableDetails])
}

async function afterCount({ userId, username }: About, ask: (reach: Reach) => void): Promise<void> {
  await call(userRoutes.disabling, { userId }).then(ask, (error: unknown) => showFailure(error, { userId: username }))
}

function askTo(disabled: boolean, { userId, username }: About, t: Texts, sentences: readonly string[]): void {
  confirm({
    title: username,
    verb: disabled ? t.actions.disable : t.actions.enable,
    question: disabled ? t.disableQuestion : t.enableQuestion,
    details: <p>{sentences.join(' ')}</p>,
    failure: disabled ? t.disableFailed : t.enableFailed,
    labels: { userId: username },
    reason: { required: true },
    danger: disabled,
    onYes: async (reason) => {
      const lists = () => refresh(userRoutes.list, userRoutes.superAdmins, customerRoutes.detail)
      await call(userRoutes.disable, { userId, disabled, reason }).finally(lists)
    },
  })
}
