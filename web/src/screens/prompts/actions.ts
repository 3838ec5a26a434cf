import { messages } from '@ghanti/contract/messages.ts'
import { promptRoutes, promptStatusCode, type PromptRow } from '@ghanti/contract/prompts.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconCheck, IconDownload, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { call, fileAddress } from '../../api/client.ts'
import { saveSound } from '../../api/download.ts'
import { refresh } from '../../api/query.ts'
import { askForAll, leftOut, type BulkContext } from '../../components/table/bulk.tsx'
import type { Bulk } from '../../components/table/DataTable.tsx'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'

const isPending = (row: PromptRow) => row.promptStatus === 0
/** After a refusal too, because the shown state is outdated. */
export const again = () => refresh(promptRoutes.list, promptRoutes.listAll, promptRoutes.listOfCustomers)

export function addressOfPrompt(row: PromptRow): string {
  return fileAddress(promptRoutes.listen, { userId: row.userId, fileName: row.fileName })
}

/** Leaves out what the server would refuse: a reseller may listen to customers' files but not change them. `listen` opens the player. */
export function promptActions(
  viewer: { userId: number; role: Role },
  row: PromptRow,
  t: TextsOf<'prompts'>,
  listen: () => void,
): MenuAction[] {
  const play: MenuAction = { label: t.actions.listen, icon: IconPlayerPlay, onClick: listen }
  if (row.userId === viewer.userId) return [play, download(row, t), remove(row, t)]
  if (viewer.role !== 'superAdmin') return [play]
  const decided = isPending(row) ? undefined : t.decided
  return [
    play,
    { label: t.actions.approve, icon: IconCheck, disabledReason: decided, onClick: () => approve(row, t) },
    { label: t.actions.reject, disabledReason: decided, danger: true, onClick: () => reject(row, t) },
    { ...remove(row, t), disabledReason: isPending(row) ? undefined : t.deleteDecided },
  ]
}

function download(row: PromptRow, t: TextsOf<'prompts'>): MenuAction {
  return {
    label: t.actions.download,
    icon: IconDownload,
    onClick: () => void saveSound(addressOfPrompt(row), row.fileName).catch(showFailure),
  }
}

function remove(row: PromptRow, t: TextsOf<'prompts'>): MenuAction {
  return {
    label: t.actions.delete,
    danger: true,
    onClick: () =>
      confirm({
        title: row.fileName,
        verb: t.actions.delete,
        question: t.questions.delete,
        failure: messages.promptDeleteFailed,
        labels: t.labels,
        danger: true,
        onYes: () => call(promptRoutes.delete, { promptId: row.promptId }).finally(again),
      }),
  }
}

function approve(row: PromptRow, t: TextsOf<'prompts'>): void {
  confirm({
    title: row.fileName,
    verb: t.actions.approve,
    question: t.questions.approve,
    failure: messages.approvalFailed,
    labels: t.labels,
    onYes: () => call(promptRoutes.approve, { promptId: row.promptId }).finally(again),
  })
}

function reject(row: PromptRow, t: TextsOf<'prompts'>): void {
  confirm({
    title: row.fileName,
    verb: t.actions.reject,
    question: t.questions.reject,
    failure: messages.rejectFailed,
    labels: t.labels,
    reason: { required: false },
    danger: true,
    onYes: (reason) => call(promptRoutes.reject, { promptId: row.promptId, reason }).finally(again),
  })
}

const lettersOfPlayer = ({ hearing }: TextsOf<'prompts'>) => [
  { letter: 'a', label: hearing.approve },
  { letter: 'r', label: hearing.reject },
  { letter: 'n', label: hearing.next },
]

/** Decides on several files at once; skips those already decided. */
export function decideMany(
  t: TextsOf<'prompts'>,
  context: BulkContext,
  listen: (row: PromptRow) => void,
): Bulk<PromptRow> {
  const nameOf = (row: PromptRow) => row.fileName
  const idOf = (row: PromptRow) => row.promptId
  return {
    nameOf,
    onFocused: (row) => [
      {
        letter: 'l',
        label: t.actions.listen,
        onClick: () => listen(row),
        after: lettersOfPlayer(t),
      },
    ],
    actions(chosen, keep) {
      const rows = chosen.filter(isPending)
      const count = context.format.count(rows.length)
      const disabledReason = rows.length === 0 ? t.decided : undefined
      const deed = { rows, idOf, nameOf, keep, again, labels: t.labels, ...leftOut(chosen, rows, context) }
      const question = (deed: 'approve' | 'reject') =>
        rows.length === 1 ? t.questions[deed] : t.questionsOfMany[deed](count)
      return [
        {
          letter: 'a',
          label: t.actions.approve,
          icon: IconCheck,
          disabledReason,
          onClick: () =>
            askForAll(
              {
                ...deed,
                label: t.actions.approve,
                done: t.status[promptStatusCode.approved],
                question: question('approve'),
                failure: messages.approvalFailed,
                yesFirst: true,
                run: (promptIds) => call(promptRoutes.approveMany, { promptIds }),
              },
              context,
            ),
        },
        {
          letter: 'r',
          label: t.actions.reject,
          icon: IconX,
          danger: true,
          disabledReason,
          onClick: () =>
            askForAll(
              {
                ...deed,
                label: t.actions.reject,
                done: t.status[promptStatusCode.rejected],
                question: question('reject'),
                failure: messages.rejectFailed,
                reason: { required: false },
                danger: true,
                run: (promptIds, reason) => call(promptRoutes.rejectMany, { promptIds, reason }),
              },
              context,
            ),
        },
      ]
    },
  }
}
