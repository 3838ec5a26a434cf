import { smsSenderRoutes, type SenderRow } from '@ghanti/contract/sms-senders.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconCheck, IconX } from '@tabler/icons-react'
import { Suspense } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { askForAll, leftOut, type BulkContext } from '../../components/table/bulk.tsx'
import type { Bulk } from '../../components/table/DataTable.tsx'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm, showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import classes from './Approvals.module.css'

const AskForSender = late(() => import('./AskForSender.tsx'))
const ApproveSenders = late(() => import('./ApproveSenders.tsx'))

type Texts = TextsOf<'smsApprovals'>
/** After a refusal too, because the shown state is outdated. */
export const againSenders = () => refresh(smsSenderRoutes.list, smsSenderRoutes.listAll)
const waiting = <div className={classes.loading} aria-busy />

export function askForSender(t: Texts): void {
  showDialog({
    title: t.senders.ask,
    render: (close) => (
      <Suspense fallback={waiting}>
        <AskForSender close={close} />
      </Suspense>
    ),
  })
}

function approve(rows: readonly SenderRow[], title: string, keep?: (ids: readonly number[]) => void): void {
  showDialog({
    title,
    render: (close) => (
      <Suspense fallback={waiting}>
        <ApproveSenders rows={rows} close={close} keep={keep ?? (() => {})} />
      </Suspense>
    ),
  })
}

/** Leaves out what the server would refuse. */
export function senderActions(role: Role, row: SenderRow, t: Texts): MenuAction[] {
  if (role === 'user') return [remove(row, t)]
  const isApproved = row.cliStatus === 1
  return [
    {
      label: isApproved ? t.actions.operators : t.actions.approve,
      ...(isApproved ? {} : { icon: IconCheck }),
      onClick: () => approve([row], t.senders.approveTitle(row.cliName)),
    },
    {
      label: t.actions.reject,
      danger: true,
      disabledReason: row.cliStatus === 2 ? t.senders.rejected : undefined,
      onClick: () =>
        confirm({
          title: row.cliName,
          verb: t.actions.reject,
          question: t.senders.rejectQuestion,
          failure: t.senders.rejectFailed,
          labels: t.senders.fields,
          reason: { required: true },
          danger: true,
          onYes: (reason) => call(smsSenderRoutes.reject, { cliId: row.cliId, reason }).finally(againSenders),
        }),
    },
    remove(row, t),
  ]
}

function remove(row: SenderRow, t: Texts): MenuAction {
  return {
    label: t.actions.delete,
    danger: true,
    onClick: () =>
      confirm({
        title: row.cliName,
        verb: t.actions.delete,
        question: t.senders.deleteQuestion,
        failure: t.senders.deleteFailed,
        labels: t.senders.fields,
        danger: true,
        onYes: () => call(smsSenderRoutes.delete, { cliId: row.cliId }).finally(againSenders),
      }),
  }
}

/** Decides on several at once; skips those already decided so. */
export function decideSenders(t: Texts, context: BulkContext): Bulk<SenderRow> {
  const nameOf = (row: SenderRow) => row.cliName
  return {
    nameOf,
    actions(chosen, keep) {
      const open = chosen.filter(({ cliStatus }) => cliStatus !== 1)
      const rejectable = chosen.filter(({ cliStatus }) => cliStatus !== 2)
      const count = context.format.count(rejectable.length)
      return [
        {
          label: t.actions.approve,
          icon: IconCheck,
          disabledReason: open.length === 0 ? t.senders.decided : undefined,
          onClick: () => approve(open, t.senders.approveMany(context.format.count(open.length)), keep),
        },
        {
          label: t.actions.reject,
          icon: IconX,
          danger: true,
          disabledReason: rejectable.length === 0 ? t.senders.rejected : undefined,
          onClick: () =>
            askForAll(
              {
                rows: rejectable,
                idOf: (row) => row.cliId,
                nameOf,
                keep,
                again: againSenders,
                labels: t.senders.fields,
                ...leftOut(chosen, rejectable, context),
                label: t.actions.reject,
                done: t.status[2],
                question: rejectable.length === 1 ? t.senders.rejectQuestion : t.senders.rejectMany(count),
                failure: t.senders.rejectFailed,
                reason: { required: true },
                danger: true,
                run: (cliIds, reason) => call(smsSenderRoutes.rejectMany, { cliIds, reason }),
              },
              context,
            ),
        },
      ]
    },
  }
}
