import { messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { smsCampaignRoutes, type SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type * as editDialogs from '../edit-campaign/dialogs.tsx'
import type * as keepDialogs from '../retention/dialogs.tsx'
import { concerns, refusalOf, type RowAction } from './allowed.ts'

type ActionContext = { role: Role; t: TextsOf<'smsCampaigns'>; go: (path: string) => void }

const iconOf = { pause: IconPlayerPause, resume: IconPlayerPlay, stop: IconPlayerStop }

const groups: Record<'run' | 'again', readonly RowAction[]> = {
  run: ['pause', 'resume', 'stop', 'retry', 'edit'],
  again: ['duplicate', 'archive', 'delete'],
}

/** Impossible actions are shown disabled, with the reason. */
function inGroup(group: keyof typeof groups, row: SmsCampaignRow, context: ActionContext): MenuAction[] {
  return groups[group].filter((action) => concerns(action, row)).map((action) => actionOf(action, row, context))
}

/** The 'Take Action' menu. */
export function campaignMenu(row: SmsCampaignRow, context: ActionContext): MenuAction[] {
  return inGroup('run', row, context).concat(inGroup('again', row, context))
}

/** The same on the campaign's page, in groups. */
export function pageMenu(
  row: SmsCampaignRow,
  context: ActionContext,
  refreshing: Pick<MenuAction, 'label' | 'onClick'>,
): MenuAction[] {
  const named = (group: keyof typeof groups, actions: readonly MenuAction[]) =>
    actions.map((action) => ({ ...action, group: context.t.groups[group] }))
  return named('run', [...inGroup('run', row, context), refreshing]).concat(
    named('again', inGroup('again', row, context)),
  )
}

export function actionOf(action: RowAction, row: SmsCampaignRow, context: ActionContext): MenuAction {
  const { role, t } = context
  const refusal = refusalOf(action, row, role)
  // An account above may do both to what it holds: going on comes first.
  const isFrequent = action in iconOf && !(action === 'pause' && refusalOf('resume', row, role) === null)
  return {
    label: action === 'archive' && row.archived ? t.actions.bringBack : t.actions[action],
    disabledReason: refusal === null ? undefined : t.refusals[refusal],
    danger: action === 'stop' || action === 'delete',
    ...(isFrequent && { icon: iconOf[action as keyof typeof iconOf] }),
    onClick: () => act(action, row, context),
  }
}

export const failures = {
  pause: messages.pauseFailed,
  resume: messages.resumeFailed,
  stop: messages.stopFailed,
  retry: messages.retryFailed,
} as const

/** Side effects, also on the calls that its messages follow. */
function hintsOf(
  action: Exclude<RowAction, 'edit' | 'duplicate' | 'archive' | 'delete'>,
  { callCampaign }: SmsCampaignRow,
  t: ActionContext['t'],
) {
  const own = action === 'stop' ? [t.stopHint] : action === 'retry' ? [t.retryHint] : []
  if (!callCampaign || action === 'resume' || action === 'retry') return own
  return [...own, t.callsHints[action](callCampaign.campaignName)]
}

const editing = (use: (opens: typeof editDialogs) => unknown) =>
  whenLoaded(() => import('../edit-campaign/dialogs.tsx'), use)
const keeping = (use: (opens: typeof keepDialogs) => unknown) =>
  whenLoaded(() => import('../retention/dialogs.tsx'), use)

function act(action: RowAction, row: SmsCampaignRow, { role, t, go }: ActionContext): void {
  const { campaignId, campaignName } = row
  if (action === 'edit') return void editing((opens) => opens.openEditMessages({ campaignId, campaignName }))
  if (action === 'duplicate') return go(`/add-sms-campaign?duplicate=${campaignId}`)
  if (action === 'archive') return void keeping((opens) => opens.openArchive({ row, route: 'archiveMessages', again }))
  if (action === 'delete') return void keeping((opens) => opens.openDelete({ row, route: 'deleteMessages', again }))
  const asksWhy = mustSayWhy(action, role)
  const hints = hintsOf(action, row, t)
  confirm({
    title: campaignName,
    question: t.questions[action],
    failure: failures[action],
    labels: t.labels,
    danger: action === 'stop',
    ...(asksWhy && { reason: { required: true } }),
    ...(hints.length > 0 && { details: hints.map((hint) => <p key={hint}>{hint}</p>) }),
    onYes: (reason) => call(smsCampaignRoutes[action], { campaignId, ...(asksWhy && { reason }) }).then(again),
  })
}

/** Pausing or stopping somebody else's campaign needs a reason, which the owner reads. */
export function mustSayWhy(action: RowAction, role: Role): boolean {
  return role !== 'user' && (action === 'pause' || action === 'stop')
}

export const again = () => refresh(smsCampaignRoutes.list, smsCampaignRoutes.summary)
