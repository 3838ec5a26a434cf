import { messages } from '@ghanti/contract/messages.ts'
import { promptRoutes, type PromptRow } from '@ghanti/contract/prompts.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconCheck, IconDownload, IconPlayerPlay } from '@tabler/icons-react'
import { call, fileAddress } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm } from '../../components/ui/dialogs.ts'
import type { TextsOf } from '../../i18n/areas.ts'

const isPending = (row: PromptRow) => row.promptStatus === 0
/** Also after a refusal: what was shown is old then. */
const again = () => refresh(promptRoutes.list, promptRoutes.listAll, promptRoutes.listOfCustomers)

export function addressOfPrompt(row: PromptRow): string {
  return fileAddress(promptRoutes.listen, { userId: row.userId, fileName: row.fileName })
}

/** Nothing that the server would refuse: a reseller listens to customers' files and changes none. `listen` opens the player. */
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
    onClick: () => {
      const link = document.createElement('a')
      link.href = addressOfPrompt(row)
      link.download = row.fileName
      link.click()
    },
  }
}

function remove(row: PromptRow, t: TextsOf<'prompts'>): MenuAction {
  return {
    label: t.actions.delete,
    danger: true,
    onClick: () =>
      confirm({
        title: row.fileName,
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
    question: t.questions.approve,
    failure: messages.approvalFailed,
    labels: t.labels,
    onYes: () => call(promptRoutes.approve, { promptId: row.promptId }).finally(again),
  })
}

function reject(row: PromptRow, t: TextsOf<'prompts'>): void {
  confirm({
    title: row.fileName,
    question: t.questions.reject,
    failure: messages.rejectFailed,
    labels: t.labels,
    reason: { required: false },
    danger: true,
    onYes: (reason) => call(promptRoutes.reject, { promptId: row.promptId, reason }).finally(again),
  })
}
