import { messages } from '@ghanti/contract/messages.ts'
import { userRoutes, type UserRow } from '@ghanti/contract/users.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconCoins } from '@tabler/icons-react'
import { Suspense, type ComponentType } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm, showDialog } from '../../components/ui/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { showRecharge } from '../credits/recharge.tsx'
import { askToDisable, askToEnable } from './disabling.tsx'
import classes from './Users.module.css'
import { late } from '../../components/ui/late.tsx'

const ResetPassword = late(() => import('./ResetPassword.tsx'))
const ChangeChannels = late(() => import('./ChangeChannels.tsx'))

export type World = { t: TextsOf<'users'>; format: Format; viewerId: number; role: Role; go: (path: string) => void }

/** What may be done with an account. Parents alone do most of it; a super admin disables anybody (WIRE.md, Who may what). */
export function actionsOf(row: UserRow, world: World): MenuAction[] {
  const { t, format, viewerId, role, go } = world
  const notChild = row.isChild ? undefined : t.notChild(row.parentUser)
  return [
    {
      label: t.actions.edit,
      disabledReason: notChild,
      onClick: () => go(`/update-user/${row.userId}`),
    },
    {
      label: t.actions.addRecharge,
      icon: IconCoins,
      disabledReason: notChild,
      onClick: () => showRecharge(row, 'add'),
    },
    { label: t.actions.removeRecharge, disabledReason: notChild, onClick: () => showRecharge(row, 'remove') },
    {
      label: t.actions.channels,
      disabledReason: notChild,
      onClick: () => showForm(t.channels.title(row.username), { user: row, viewerId }, ChangeChannels),
    },
    {
      label: t.actions.resetPassword,
      disabledReason: notChild,
      onClick: () => showForm(t.reset.title(row.username), { user: row, viewerId }, ResetPassword),
    },
    ...cliActions(row, t, role === 'superAdmin' ? undefined : notChild, go),
    row.disabled ? enable(row, world) : disable(row, world),
    {
      label: t.actions.delete,
      disabledReason: notChild,
      danger: true,
      onClick: () =>
        confirm({
          title: row.username,
          question: t.deleteQuestion,
          details: <p>{t.deleteDetails(format.rupees(row.credits), row.parentUser)}</p>,
          failure: messages.userDeleteFailed,
          labels: { userId: row.username },
          danger: true,
          onYes: () => call(userRoutes.delete, { userId: row.userId }).finally(() => refresh(userRoutes.list)),
        }),
    },
  ]
}

/** What a dialog about one account is given; it stands outside the session. */
export type RowFormProps = { user: UserRow; viewerId: number; close: () => void }

function showForm(title: string, about: Omit<RowFormProps, 'close'>, Form: ComponentType<RowFormProps>): void {
  showDialog({
    title,
    render: (close) => (
      <Suspense fallback={<div className={classes.form} aria-busy />}>
        <Form {...about} close={close} />
      </Suspense>
    ),
  })
}

/** The super admin allocates to anybody, a reseller to his own children. */
function cliActions(
  { userId, username }: UserRow,
  t: TextsOf<'users'>,
  disabledReason: string | undefined,
  go: World['go'],
): MenuAction[] {
  const chosen = new URLSearchParams({ userId: String(userId), username }).toString()
  return [
    { label: t.actions.cliList, onClick: () => go(`/allocated-cli-list?userId=${userId}`) },
    { label: t.actions.allocateCli, disabledReason, onClick: () => go(`/allocate-cli?${chosen}`) },
  ]
}

function disable(row: UserRow, { t, format, role }: World): MenuAction {
  const notChild = row.isChild || role === 'superAdmin' ? undefined : t.notChild(row.parentUser)
  return {
    label: t.actions.disable,
    disabledReason: notChild,
    danger: true,
    onClick: () => void askToDisable(row, t, format),
  }
}

function enable(row: UserRow, { t, format, role }: World): MenuAction {
  const byPlatform = row.disabled?.byPlatform ? t.byPlatform : undefined
  const notChild = row.isChild ? undefined : t.notChild(row.parentUser)
  return {
    label: t.actions.enable,
    disabledReason: role === 'superAdmin' ? undefined : (notChild ?? byPlatform),
    onClick: () => void askToEnable(row, t, format),
  }
}
