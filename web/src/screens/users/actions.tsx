import { messages } from '@ghanti/contract/messages.ts'
import { userRoutes, type UserRow } from '@ghanti/contract/users.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconCoins } from '@tabler/icons-react'
import { Suspense, type ComponentType } from 'react'
import { freeOf } from '../../api/balance.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm, showDialog, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { showRecharge } from '../credits/recharge.tsx'
import classes from './Users.module.css'
import { late } from '../../components/ui/loading/late.tsx'
import type * as Disabling from './disabling.tsx'
import type * as Freezing from '../freezing/ask.tsx'

const ResetPassword = late(() => import('./ResetPassword.tsx'))
const ChangeChannels = late(() => import('./ChangeChannels.tsx'))

export type Context = {
  t: TextsOf<'users'>
  format: Format
  viewerId: number
  role: Role
  go: (path: string) => void
  leave?: () => void
}

/**
 * What can be done with an account. Parents do it; super admins do most of it to anybody, with a confirmation where a reseller is between
 * (docs/api.md#acting-in-a-resellers-place).
 */
export function actionsOf(row: UserRow, context: Context): MenuAction[] {
  const { t, format, viewerId, role, go } = context
  const notChild = row.isChild ? undefined : t.notChild(row.parentUser)
  const isFrozen = row.frozen !== null || row.frozenBy !== null
  const nothingMoves = isFrozen ? t.frozen.nothingMoves : undefined
  const disabledReason = nothingMoves ?? (role === 'superAdmin' ? undefined : notChild)
  const giverId = row.isChild ? viewerId : row.parentId
  const ask = (label: string, onYes: () => void) =>
    confirm({
      title: row.username,
      verb: label,
      question: t.between(row.username, row.parentUser),
      failure: messages.requestFailed,
      onYes: async () => onYes(),
    })
  /** Names the account between before a super admin acts in its stead. */
  const below = (label: string, act: () => void): MenuAction => {
    return { label, disabledReason, onClick: () => (row.isChild ? act() : ask(label, act)) }
  }
  const about = { user: row, giverId }
  return [
    { label: t.actions.edit, disabledReason, onClick: () => go(`/update-user/${row.userId}`) },
    { ...below(t.actions.addRecharge, () => showRecharge(row, 'add', t.actions.addRecharge)), icon: IconCoins },
    below(t.actions.removeRecharge, () => showRecharge(row, 'remove', t.actions.removeRecharge)),
    below(t.actions.channels, () => showForm(t.channels.title(row.username), about, ChangeChannels)),
    // It opens nothing while the account is frozen, and belongs to what is done before the freeze is lifted.
    {
      ...below(t.actions.resetPassword, () => showForm(t.reset.title(row.username), about, ResetPassword)),
      disabledReason: role === 'superAdmin' ? undefined : notChild,
    },
    ...cliActions(row, t, disabledReason, go),
    ...(isFrozen ? [] : [row.disabled ? enable(row, context) : disable(row, context)]),
    row.frozen ? liftOf(row, context) : freezeOf(row, t),
    {
      label: t.actions.delete,
      disabledReason: nothingMoves ?? notChild,
      danger: true,
      onClick: () =>
        confirm({
          title: row.username,
          verb: t.actions.delete,
          question: t.deleteQuestion,
          details: <p>{t.deleteDetails(format.rupees(freeOf(row)), row.parentUser)}</p>,
          failure: messages.userDeleteFailed,
          labels: { userId: row.username },
          danger: true,
          onYes: async () => {
            await call(userRoutes.delete, { userId: row.userId }).finally(() => refresh(userRoutes.list))
            context.leave?.()
          },
        }),
    },
  ]
}

/** Props of a dialog about one account, which does not know the session. `giverId`: the account whose channels it uses. */
export type RowFormProps = { user: UserRow; giverId: number; close: () => void }

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

/** A super admin allocates to anybody, a reseller to direct children. */
function cliActions(
  { userId, username }: UserRow,
  t: TextsOf<'users'>,
  disabledReason: string | undefined,
  go: Context['go'],
): MenuAction[] {
  const chosen = new URLSearchParams({ userId: String(userId), username }).toString()
  return [
    { label: t.actions.cliList, onClick: () => go(`/allocated-cli-list?userId=${userId}`) },
    { label: t.actions.allocateCli, disabledReason, onClick: () => go(`/allocate-cli?${chosen}`) },
  ]
}

function withQuestions(ask: (questions: typeof Disabling) => Promise<void>): void {
  import('./disabling.tsx').then(ask).catch(showFailure)
}

function disable(row: UserRow, { t, format, role }: Context): MenuAction {
  const notChild = row.isChild || role === 'superAdmin' ? undefined : t.notChild(row.parentUser)
  return {
    label: t.actions.disable,
    disabledReason: notChild,
    danger: true,
    onClick: () => withQuestions((questions) => questions.askToDisable(row, t, format)),
  }
}

function enable(row: UserRow, { t, format, role }: Context): MenuAction {
  const byPlatform = row.disabled?.byPlatform ? t.byPlatform : undefined
  const notChild = row.isChild ? undefined : t.notChild(row.parentUser)
  return {
    label: t.actions.enable,
    disabledReason: role === 'superAdmin' ? undefined : (notChild ?? byPlatform),
    onClick: () => withQuestions((questions) => questions.askToEnable(row, t, format)),
  }
}

/** Whoever is above, at any depth, may be the only one awake. */
function freezeOf(row: UserRow, t: Context['t']): MenuAction {
  return {
    label: t.actions.freeze,
    danger: true,
    onClick: () => whenAsked(({ askToFreeze }) => askToFreeze(row, t.freezing)),
  }
}

export function liftOf(row: UserRow, { t, format, role }: Pick<Context, 't' | 'format' | 'role'>): MenuAction {
  const byPlatform = row.frozen?.byPlatform && role !== 'superAdmin' ? t.frozen.byPlatform : undefined
  return {
    label: t.actions.lift,
    disabledReason: byPlatform,
    onClick: () => whenAsked(({ askToLift }) => askToLift(row, t.freezing, format)),
  }
}

function whenAsked(ask: (freezing: typeof Freezing) => unknown): void {
  import('../freezing/ask.tsx').then(ask).catch(showFailure)
}
