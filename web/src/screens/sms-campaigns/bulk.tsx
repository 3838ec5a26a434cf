import { actionOfRole, campaignActions } from '@ghanti/contract/campaign-status.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { smsCampaignRoutes, type SmsCampaignRow } from '@ghanti/contract/sms-campaigns.ts'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { call } from '../../api/client.ts'
import { askForAll, leftOut, type BulkContext } from '../../components/table/bulk.tsx'
import type { Bulk } from '../../components/table/DataTable.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { again, failures, mustSayWhy } from './actions.tsx'
import { refusalOf } from './allowed.ts'

type Context = BulkContext & { role: Role; t: TextsOf<'smsCampaigns'> }

const deeds = {
  pause: { icon: IconPlayerPause, run: smsCampaignRoutes.pauseMany },
  resume: { icon: IconPlayerPlay, run: smsCampaignRoutes.resumeMany },
  stop: { icon: IconPlayerStop, run: smsCampaignRoutes.stopMany },
} as const
type Deed = keyof typeof deeds

const nameOf = (row: SmsCampaignRow) => row.campaignName

/** Pauses, resumes and stops several campaigns, where possible; the server checks each again. */
export function campaignBulk(context: Context): Bulk<SmsCampaignRow> {
  const { role, common } = context
  return {
    nameOf,
    actions(chosen, keep) {
      const deedOf = (action: Deed) => {
        const rows = chosen.filter((row) => refusalOf(action, row, role) === null)
        return {
          label: context.t.actions[action],
          icon: deeds[action].icon,
          danger: action === 'stop',
          disabledReason: rows.length === 0 ? common.table.noneCan : undefined,
          onClick: () => ask(action, { chosen, rows, keep }, context),
        }
      }
      return [deedOf('pause'), deedOf('resume'), deedOf('stop')]
    },
  }
}

type Asked = Pick<Parameters<typeof askForAll<SmsCampaignRow>>[0], 'rows' | 'keep'> & {
  chosen: readonly SmsCampaignRow[]
}

function ask(action: Deed, { chosen, rows, keep }: Asked, context: Context): void {
  const { role, t, format } = context
  const asksWhy = mustSayWhy(action, role)
  const hints = [
    ...(action === 'stop' ? [t.stopHint] : []),
    ...(action !== 'resume' && rows.some(({ callCampaign }) => callCampaign) ? [t.callsHintOfMany[action]] : []),
  ]
  const details = (
    <>
      {leftOut(chosen, rows, context).details}
      {hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
    </>
  )
  askForAll(
    {
      label: t.actions[action],
      done: t.status[campaignActions[actionOfRole(action, role)].to],
      rows,
      keep,
      idOf: (row) => row.campaignId,
      nameOf,
      again,
      labels: t.labels,
      failure: failures[action],
      danger: action === 'stop',
      question: rows.length === 1 ? t.questions[action] : t.questionsOfMany[action](format.count(rows.length)),
      details,
      ...(asksWhy && { reason: { required: true } }),
      run: (campaignIds, reason) => call(deeds[action].run, { campaignIds, ...(asksWhy && { reason }) }),
    },
    context,
  )
}
