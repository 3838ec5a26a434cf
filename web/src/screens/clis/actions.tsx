import { lineRoutes, type CliRow } from '@ghanti/contract/lines.ts'
import { messages } from '@ghanti/contract/messages.ts'
import { IconArrowsShuffle, IconPencil, IconUserPlus } from '@tabler/icons-react'
import { Suspense, type ReactNode } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import lines from '../lines/Lines.module.css'
import type { Context } from './columns.tsx'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

const ChangeCli = late(() => import('./ChangeCli.tsx'))
const GroupForm = late(async () => {
  const [form] = await Promise.all([import('./GroupForm.tsx'), loadTexts('cliGroups')])
  return form
})
const ChooseRoute = late(() => import('./ChooseRoute.tsx'))

/** The claim of specification 2 §9; the server decides by role. */
const allocatedFlag = { superAdmin: 1, reseller: 2, user: 0 } as const

export function refreshClis(): Promise<unknown> {
  const { all, clisOfUser, allocated, available } = lineRoutes
  return refresh(all, clisOfUser, allocated, available)
}

function openForm(title: string, render: (close: () => void) => ReactNode, size?: 'lg'): void {
  showDialog({
    title,
    ...(size && { size }),
    render: (close) => <Suspense fallback={<div className={lines.loading} aria-busy />}>{render(close)}</Suspense>,
  })
}

/** `cliId` null for a new group. */
export function openGroup(title: string, cliId: number | null): void {
  openForm(title, (close) => <GroupForm cliId={cliId} close={close} />, 'lg')
}

export function actionsOf(row: CliRow, context: Context): MenuAction[] {
  const { role, t, format } = context
  if (row.allocation) return [removeAction(row, context)]
  const cli = format.phone(row.cli)
  const remove: MenuAction = {
    label: role === 'superAdmin' ? t.actions.delete : t.actions.giveBack,
    danger: true,
    onClick: () =>
      confirm({
        title: cli,
        verb: role === 'superAdmin' ? t.actions.delete : t.actions.giveBack,
        question: role === 'superAdmin' ? t.questions.delete : t.questions.giveBack,
        failure: role === 'superAdmin' ? messages.cliDeleteFailed : messages.cliRemoveFailed,
        labels: { cliId: cli },
        danger: true,
        onYes: () =>
          call(lineRoutes.delete, { cliId: row.cliId, allocated: allocatedFlag[role] }).finally(() => refreshClis()),
      }),
  }
  if (role === 'user') return [remove]
  const open = (Form: typeof ChangeCli) => openForm(cli, (close) => <Form row={row} close={close} />)
  const ofSuperAdmin: MenuAction[] = [
    row.members === null
      ? { label: t.actions.change, icon: IconPencil, onClick: () => open(ChangeCli) }
      : { label: t.actions.changeGroup, icon: IconPencil, onClick: () => openGroup(cli, row.cliId) },
    { label: t.actions.route, icon: IconArrowsShuffle, onClick: () => open(ChooseRoute) },
  ]
  return [...(role === 'superAdmin' ? ofSuperAdmin : []), ...passingOn(row, context), remove]
}

function passingOn(row: CliRow, { t, go }: Context): MenuAction[] {
  const isTaken = row.pool === 'dedicated' && row.holderCount > 0
  return [
    {
      label: t.actions.allocate,
      icon: IconUserPlus,
      disabledReason: isTaken ? t.isTaken : undefined,
      onClick: () => go(`/allocate-cli?${new URLSearchParams({ cliId: String(row.cliId), cli: row.cli }).toString()}`),
    },
    {
      label: t.actions.allocations,
      disabledReason: row.holderCount === 0 ? t.toNobody : undefined,
      onClick: () => go(`/allocated-cli-list?search=${encodeURIComponent(row.cli)}`),
    },
  ]
}

/** A reseller takes back what it gave; a super admin, from anybody. */
function removeAction({ cliId, cli, allocation }: CliRow, { role, username, t, format }: Context): MenuAction {
  const holder = allocation?.username ?? ''
  const isTheirs = role === 'superAdmin' || allocation?.givenBy === username
  return {
    label: t.actions.remove,
    danger: true,
    disabledReason: isTheirs ? undefined : t.givenByOther(allocation?.givenBy ?? ''),
    onClick: () =>
      confirm({
        title: format.phone(cli),
        verb: t.actions.remove,
        question: t.questions.remove(holder),
        failure: messages.cliRemoveFailed,
        labels: { cliId: format.phone(cli), userId: holder },
        danger: true,
        onYes: () =>
          call(lineRoutes.deallocate, { cliId, ...(allocation ? { userId: allocation.userId } : {}) }).finally(() =>
            refreshClis(),
          ),
      }),
  }
}
