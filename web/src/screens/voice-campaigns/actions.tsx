import { messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { reportRoutes, voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { IconFileDownload, IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { fieldText } from '../../components/ui/failures/failure-texts.ts'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import type * as keepDialogs from '../retention/dialogs.tsx'
import { openExport } from '../exports/open.tsx'
import { withSummary } from '../summaries/open.ts'
import { openNewFrom } from '../new-from/open.tsx'
import { isOnlyInvalidLeft, refusalOf, type Refusal, type RowAction } from './allowed.ts'
import classes from './actions.module.css'
import { downloadReport } from './report.ts'

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
  return {
    label: action === 'archive' && row.archived ? t.actions.bringBack : t.actions[action],
    disabledReason: refusal === null ? undefined : reasonFor(refusal, row, t),
    danger: action === 'stop' || action === 'delete',
    ...(action in iconOf && { icon: iconOf[action as keyof typeof iconOf] }),
    onClick: () => doers[action](row, context),
  }
}

function reasonFor(
  refusal: Refusal,
  { retryFault = '' }: CampaignRow,
  { refusals, labels }: ActionContext['t'],
): string {
  return refusal === 'retryFault' ? fieldText(labels.campaignId, retryFault) : refusals[refusal]
}

/** A campaign's state is reloaded everywhere after a change. */
export const again = () => refresh(voiceCampaignRoutes.list, voiceCampaignRoutes.detail)

const keeping = (use: (opens: typeof keepDialogs) => unknown) =>
  whenLoaded(() => import('../retention/dialogs.tsx'), use)

const doers: Record<RowAction, (row: CampaignRow, context: ActionContext) => void> = {
  pause: ({ campaignId, campaignName, smsCampaignId }, { role, t }) =>
    confirm({
      title: campaignName,
      question: t.questions.pause,
      failure: messages.pauseFailed,
      labels: t.labels,
      ...reasonOf(role),
      details: hintOfTexts('pause', smsCampaignId, t),
      onYes: (reason) => call(voiceCampaignRoutes.pause, { campaignId, reason }).then(again),
    }),
  stop: stopCampaign,
  resume: ({ campaignId, campaignName }, { t }) =>
    confirm({
      title: campaignName,
      question: t.questions.resume,
      failure: messages.resumeFailed,
      labels: t.labels,
      onYes: () => call(voiceCampaignRoutes.resume, { campaignId }).then(again),
    }),
  retry: retryCampaign,
  generateReport: ({ campaignId, campaignName }, { t }) =>
    confirm({
      title: campaignName,
      question: t.questions.generateReport,
      failure: messages.requestFailed,
      labels: t.labels,
      onYes: () => call(reportRoutes.generate, { campaignId }).then(again),
    }),
  downloadReport: ({ campaignId, campaignName }) => void downloadReport({ campaignId, campaignName, type: 'both' }),
  summaryPdf: ({ campaignId }) => void withSummary(({ downloadPdf }) => downloadPdf(campaignId)),
  summaryMail: ({ campaignId }, { go }) => void withSummary(({ openSendSummary }) => openSendSummary(campaignId, go)),
  edit: (row) =>
    void whenLoaded(
      () => import('../edit-campaign/dialogs.tsx'),
      (opens) => opens.openEdit(row),
    ),
  duplicate: ({ campaignId }, { go }) => go(`/add-voice-campaign?duplicate=${campaignId}`),
  saveSetup: ({ campaignId, campaignName }) =>
    void whenLoaded(
      () => import('../setups/dialogs.tsx'),
      (opens) => opens.openSetupOf({ campaignId, campaignName }),
    ),
  newFrom: ({ campaignId, campaignName }, { go }) => void openNewFrom({ campaignId, campaignName }, go),
  exportRows: ({ campaignId, campaignName }, { go }) =>
    void openExport({ kind: 'rows', filter: { campaignId } }, (ask) => ask.allRows(campaignName), go),
  archive: (row) => void keeping((opens) => opens.openArchive({ row, route: 'archiveCalls', again })),
  delete: (row) => void keeping((opens) => opens.openDelete({ row, route: 'deleteCalls', again })),
  details: ({ campaignId }, { go }) => go(`/voice-campaign-summary/${campaignId}`),
}

/** Acting on somebody else's campaign needs a reason, which the owner reads. */
export function reasonOf(role: Role) {
  return role === 'user' ? {} : { reason: { required: true } }
}

function retryCampaign(row: CampaignRow, { t }: ActionContext): void {
  const { campaignId, campaignName, outcomes } = row
  const onlyInvalid = isOnlyInvalidLeft(row)
  let invalidToo = onlyInvalid
  confirm({
    title: campaignName,
    question: t.questions.retry,
    failure: messages.retryFailed,
    labels: t.labels,
    details: (
      <>
        {(outcomes.INVALID ?? 0) > 0 && (
          <Choice
            label={t.retryInvalid}
            hint={onlyInvalid ? t.retryOnlyInvalid : t.retryInvalidHint}
            fixed={onlyInvalid}
            onChange={(chosen) => (invalidToo = chosen)}
          />
        )}
        {hintOfTexts('retry', row.smsCampaignId, t)}
      </>
    ),
    onYes: () => call(voiceCampaignRoutes.retry, { campaignId, invalidToo }).then(again),
  })
}

/** What the action does to the campaign that carries the texts, if there is one. */
function hintOfTexts(action: 'pause' | 'stop' | 'retry', smsCampaignId: number | undefined, t: ActionContext['t']) {
  return smsCampaignId !== undefined && <p>{t.textsHints[action]}</p>
}

type ChoiceProps = {
  label: string
  hint: string
  /** Ticked and not changeable. */
  fixed?: boolean
  onChange: (chosen: boolean) => void
}

export function Choice({ label, hint, fixed = false, onChange }: ChoiceProps) {
  return (
    <label className={classes.option}>
      <input
        type="checkbox"
        defaultChecked={fixed}
        disabled={fixed}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  )
}

function stopCampaign({ campaignId, campaignName, smsCampaignId }: CampaignRow, { role, t }: ActionContext): void {
  let now = false
  confirm({
    title: campaignName,
    question: t.questions.stop,
    failure: messages.stopFailed,
    labels: t.labels,
    danger: true,
    ...reasonOf(role),
    details: (
      <>
        <Choice label={t.stopNow} hint={t.stopNowHint} onChange={(chosen) => (now = chosen)} />
        {hintOfTexts('stop', smsCampaignId, t)}
      </>
    ),
    onYes: (reason) => call(voiceCampaignRoutes.stop, { campaignId, now, reason }).then(again),
  })
}
