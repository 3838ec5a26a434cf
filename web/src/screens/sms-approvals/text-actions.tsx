import { smsTextRoutes, type TextRow } from '@ghanti/contract/sms-texts.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react'
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

const TextForm = late(() => import('./TextForm.tsx'))

type Texts = TextsOf<'smsApprovals'>
/** After a refusal too, because the shown state is outdated. */
export const againTexts = () => refresh(smsTextRoutes.list, smsTextRoutes.listAll)

/** Null: a new one. */
export function openText(row: TextRow | null, t: Texts): void {
  showDialog({
    title: row ? t.saved.edit(row.textName) : t.saved.add,
    size: 'lg',
    render: (close) => (
      <Suspense fallback={<div className={classes.loading} aria-busy />}>
        <TextForm row={row} close={close} />
      </Suspense>
    ),
  })
}

/** Leaves out what the server would refuse. */
export function textActions(role: Role, row: TextRow, t: Texts): MenuAction[] {
  if (role === 'user')
    return [{ label: t.actions.edit, icon: IconPencil, onClick: () => openText(row, t) }, remove(row, t)]
  const text = <p className={classes.text}>{row.smsText}</p>
  const approve = (urgent: boolean) =>
    confirm({
      title: row.textName,
      verb: urgent ? t.actions.approveUrgent : t.actions.approve,
      question: urgent ? t.saved.urgentQuestion : row.urgent ? t.saved.notUrgentQuestion : t.saved.approveQuestion,
      details: text,
      failure: t.saved.approveFailed,
      labels: t.saved.fields,
      onYes: () => call(smsTextRoutes.approve, { textId: row.textId, urgent }).finally(againTexts),
    })
  return [
    {
      ...(row.urgent ? { label: t.actions.notUrgent } : { label: t.actions.approve, icon: IconCheck }),
      disabledReason: row.textStatus === 1 && !row.urgent ? t.saved.approved : undefined,
      onClick: () => approve(false),
    },
    {
      label: t.actions.approveUrgent,
      disabledReason: row.urgent ? t.saved.approvedUrgent : undefined,
      onClick: () => approve(true),
    },
    {
      label: t.actions.reject,
      danger: true,
      disabledReason: row.textStatus === 2 ? t.saved.rejected : undefined,
      onClick: () =>
        confirm({
          title: row.textName,
          verb: t.actions.reject,
          question: t.saved.rejectQuestion,
          details: text,
          failure: t.saved.rejectFailed,
          labels: t.saved.fields,
          reason: { required: true },
          danger: true,
          onYes: (reason) => call(smsTextRoutes.reject, { textId: row.textId, reason }).finally(againTexts),
        }),
    },
    remove(row, t),
  ]
}

function remove(row: TextRow, t: Texts): MenuAction {
  return {
    label: t.actions.delete,
    danger: true,
    onClick: () =>
      confirm({
        title: row.textName,
        verb: t.actions.delete,
        question: t.saved.deleteQuestion,
        failure: t.saved.deleteFailed,
        labels: t.saved.fields,
        danger: true,
        onYes: () => call(smsTextRoutes.delete, { textId: row.textId }).finally(againTexts),
      }),
  }
}

/** Decides on several at once; skips those already decided. */
export function decideTexts(t: Texts, context: BulkContext): Bulk<TextRow> {
  const nameOf = (row: TextRow) => row.textName
  return {
    nameOf,
    actions(chosen, keep) {
      const rows = chosen.filter(({ textStatus }) => textStatus === 0)
      const count = context.format.count(rows.length)
      const disabledReason = rows.length === 0 ? t.saved.decided : undefined
      const deed = {
        rows,
        idOf: (row: TextRow) => row.textId,
        nameOf,
        keep,
        again: againTexts,
        labels: t.saved.fields,
        ...leftOut(chosen, rows, context),
      }
      return [
        {
          label: t.actions.approve,
          icon: IconCheck,
          disabledReason,
          onClick: () =>
            askForAll(
              {
                ...deed,
                label: t.actions.approve,
                done: t.status[1],
                question: rows.length === 1 ? t.saved.approveQuestion : t.saved.approveMany(count),
                failure: t.saved.approveFailed,
                run: (textIds) => call(smsTextRoutes.approveMany, { textIds }),
              },
              context,
            ),
        },
        {
          label: t.actions.reject,
          icon: IconX,
          danger: true,
          disabledReason,
          onClick: () =>
            askForAll(
              {
                ...deed,
                label: t.actions.reject,
                done: t.status[2],
                question: rows.length === 1 ? t.saved.rejectQuestion : t.saved.rejectMany(count),
                failure: t.saved.rejectFailed,
                reason: { required: true },
                danger: true,
                run: (textIds, reason) => call(smsTextRoutes.rejectMany, { textIds, reason }),
              },
              context,
            ),
        },
      ]
    },
  }
}
