import type { Role } from '@ghanti/contract/roles.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { IconFileDownload, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { loadTexts } from '../../i18n/language.ts'
import { refusalOf, type Refusal, type RowAction } from './allowed.ts'

export type ActionContext = { role: Role; t: TextsOf<'voiceCampaigns'>; go: (path: string) => void }

const menu = [
  'pause',
  'resume',
  'stop',
  'generateReport',
  'downloadReport',
  'summaryPdf',
  'summaryMail',
  'edit',
  'duplicate',
  'saveSetup',
  'newFrom',
  'exportRows',
  'archive',
  'delete',
  'details',
] as const satisfies readonly RowAction[]

/** Frequent actions: what stops or continues it, and what is wanted afterwards. */
const iconOf = {
  pause: IconPlayerPause,
  resume: IconPlayerPlay,
  stop: IconPlayerStop,
  downloadReport: IconFileDownload,
}

/** The 'Take Action' menu. Impossible actions are shown disabled, with the reason. */
export function campaignMenu(
  row: CampaignRow,
  context: ActionContext,
  without: readonly RowAction[] = [],
): MenuAction[] {
  return menu.filter((action) => !without.includes(action)).map((action) => actionOf(action, row, context))
}

export function actionOf(action: RowAction, row: CampaignRow, context: ActionContext): MenuAction {
  const { role, t } = context
  const refusal = refusalOf(action, row, role)
  const isFrequent = action in iconOf && !(action === 'pause' && refusalOf('resume', row, role) === null)
  return {
    label: action === 'archive' && row.archived ? t.actions.bringBack : t.actions[action],
    disabledReason: refusal === null ? undefined : reasonFor(refusal, row, t),
    danger: action === 'stop' || action === 'delete',
    ...(isFrequent && { icon: iconOf[action as keyof typeof iconOf] }),
    onClick: () => whenPerforming((does) => does.perform[action](row, context)),
  }
}

function reasonFor(
  refusal: Refusal,
  { retryFault = '' }: CampaignRow,
  { refusals, labels }: ActionContext['t'],
): string {
  return refusal === 'retryFault' ? fieldText(labels.campaignId, retryFault) : refusals[refusal]
}

/** The code behind the actions, for a screen that loads it before it is needed. */
export const importPerform = async () => (await Promise.all([import('./perform.tsx'), loadTexts('campaignActions')]))[0]

export const whenPerforming = (use: (does: Awaited<ReturnType<typeof importPerform>>) => void) =>
  void whenLoaded(importPerform, use)
