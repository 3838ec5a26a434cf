import { actionOfRole, campaignActions } from '@ghanti/contract/campaign-status.ts'
import { messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { reportRoutes, voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { askForAll, leftOut } from '../../components/table/bulk.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { whenLoaded } from '../../components/ui/loading/when-loaded.ts'
import { textsOf } from '../../i18n/language.ts'
import type * as keepDialogs from '../retention/dialogs.tsx'
import { openExport } from '../exports/open.tsx'
import { withSummary } from '../summaries/open.ts'
import { openNewFrom } from '../new-from/open.tsx'
import { resume } from './hold/resume.ts'
import type { ActionContext } from './actions.tsx'
import { isOnlyInvalidLeft, type RowAction } from './allowed.ts'
import classes from './actions.module.css'
import type { BulkAction, BulkChoice, CampaignBulkContext } from './bulk.tsx'
import { downloadReport } from './report.ts'

/** A campaign's state is reloaded everywhere after a change. */
const again = () => refresh(voiceCampaignRoutes.list, campaignDetailRoutes.detail)

const texts = () => textsOf('campaignActions')

const keeping = (use: (opens: typeof keepDialogs) => unknown) =>
  whenLoaded(() => import('../retention/dialogs.tsx'), use)

/** Does what an action of a row says, or asks first. */
export const perform: Record<RowAction, (row: CampaignRow, context: ActionContext) => void> = {
  pause: ({ campaignId, campaignName, smsCampaignId }, { role, t }) =>
    confirm({
      title: campaignName,
      question: texts().questions.pause,
      failure: messages.pauseFailed,
      labels: t.labels,
      ...reasonOf(role),
      details: hintOfTexts('pause', smsCampaignId),
      onYes: (reason) => call(voiceCampaignRoutes.pause, { campaignId, reason }).then(again),
    }),
  stop: stopCampaign,
  resume: ({ campaignId, campaignName }) => resume({ campaignId, campaignName, isSms: false }),
  retry: retryCampaign,
  generateReport: ({ campaignId, campaignName }, { t }) =>
    confirm({
      title: campaignName,
      question: texts().questions.generateReport,
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
function reasonOf(role: Role) {
  return role === 'user' ? {} : { reason: { required: true } }
}

function retryCampaign(row: CampaignRow, { t }: ActionContext): void {
  const { campaignId, campaignName, outcomes } = row
  const { questions, retryInvalid, retryOnlyInvalid, retryInvalidHint } = texts()
  const onlyInvalid = isOnlyInvalidLeft(row)
  let invalidToo = onlyInvalid
  confirm({
    title: campaignName,
    question: questions.retry,
    failure: messages.retryFailed,
    labels: t.labels,
    details: (
      <>
        {(outcomes.INVALID ?? 0) > 0 && (
          <Choice
            label={retryInvalid}
            hint={onlyInvalid ? retryOnlyInvalid : retryInvalidHint}
            fixed={onlyInvalid}
            onChange={(chosen) => (invalidToo = chosen)}
          />
        )}
        {hintOfTexts('retry', row.smsCampaignId)}
      </>
    ),
    onYes: () => call(voiceCampaignRoutes.retry, { campaignId, invalidToo }).then(again),
  })
}

/** What the action does to the campaign that carries the texts, if there is one. */
function hintOfTexts(action: 'pause' | 'stop' | 'retry', smsCampaignId: number | undefined) {
  return smsCampaignId !== undefined && <p>{texts().textsHints[action]}</p>
}

type ChoiceProps = {
  label: string
  hint: string
  /** Ticked and not changeable. */
  fixed?: boolean
  onChange: (chosen: boolean) => void
}

function Choice({ label, hint, fixed = false, onChange }: ChoiceProps) {
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
    question: texts().questions.stop,
    failure: messages.stopFailed,
    labels: t.labels,
    danger: true,
    ...reasonOf(role),
    details: (
      <>
        <StopNow onChange={(chosen) => (now = chosen)} />
        {hintOfTexts('stop', smsCampaignId)}
      </>
    ),
    onYes: (reason) => call(voiceCampaignRoutes.stop, { campaignId, now, reason }).then(again),
  })
}

function StopNow({ onChange }: Pick<ChoiceProps, 'onChange'>) {
  const { stopNow, stopNowHint } = texts()
  return <Choice label={stopNow} hint={stopNowHint} onChange={onChange} />
}

/** Asks once for all chosen campaigns that allow the action. */
export function performOnMany(
  action: BulkAction,
  { chosen, rows, keep }: BulkChoice,
  context: CampaignBulkContext,
): void {
  const { role, t, format } = context
  const { questions, questionsOfMany } = texts()
  const { details } = leftOut(chosen, rows, context)
  const asked = {
    label: t.actions[action],
    done: t.status[campaignActions[actionOfRole(action, role)].to],
    question: rows.length === 1 ? questions[action] : questionsOfMany[action](format.count(rows.length)),
    rows,
    keep,
    idOf: (row: CampaignRow) => row.campaignId,
    nameOf: (row: CampaignRow) => row.campaignName,
    again,
    labels: t.labels,
  }
  const { pauseMany, resumeMany, stopMany } = voiceCampaignRoutes
  if (action === 'resume') {
    const run = (campaignIds: number[]) => call(resumeMany, { campaignIds })
    askForAll({ ...asked, details, failure: messages.resumeFailed, run }, context)
  } else if (action === 'pause') {
    const run = (campaignIds: number[], reason: string) => call(pauseMany, { campaignIds, reason })
    askForAll({ ...asked, details, ...reasonOf(role), failure: messages.pauseFailed, run }, context)
  } else {
    let now = false
    const choices = (
      <>
        {details}
        <StopNow onChange={(chosenNow) => (now = chosenNow)} />
      </>
    )
    const run = (campaignIds: number[], reason: string) => call(stopMany, { campaignIds, now, reason })
    const stop = { failure: messages.stopFailed, danger: true, details: choices, run }
    askForAll({ ...asked, ...reasonOf(role), ...stop }, context)
  }
}
