import { customerRoutes } from '@ghanti/contract/customers.ts'
import { factorRoutes } from '@ghanti/contract/factors.ts'
import { userRoutes } from '@ghanti/contract/users.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import type { Context } from './actions.tsx'

type Owner = { userId: number; username: string; hasSecondFactor: boolean; isChild?: boolean; parentUser?: string }

/** For an owner who has lost what the sign-in asks for. By the account right above, or a super admin. */
export function factorAction(
  { userId, username, hasSecondFactor, isChild = true, parentUser = '' }: Owner,
  { t, viewerId, role }: Pick<Context, 't' | 'viewerId' | 'role'>,
): MenuAction {
  const { factors: words, actions } = t
  const notYours = userId === viewerId ? t.superAdmins.own : undefined
  const notChild = isChild || role === 'superAdmin' ? undefined : t.notChild(parentUser)
  return {
    label: actions.removeFactors,
    disabledReason: notYours ?? notChild ?? (hasSecondFactor ? undefined : words.none),
    danger: true,
    onClick: () =>
      confirm({
        title: username,
        verb: actions.removeFactors,
        question: words.question,
        failure: words.failed,
        labels: { userId: username },
        reason: { required: true },
        danger: true,
        onYes: async (reason) => {
          await call(factorRoutes.removeAll, { userId, reason })
          void refresh(userRoutes.superAdmins, customerRoutes.detail)
          showDone(words.done)
        },
      }),
  }
}
