import { messages } from '@ghanti/contract/messages.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { voiceCampaignRoutes, type CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { call } from '../../api/client.ts'
import { askForAll, leftOut, type BulkContext } from '../../components/table/bulk.tsx'
import type { Bulk } from '../../components/table/DataTable.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import { again, Choice, reasonOf } from './actions.tsx'
import { refusalOf } from './allowed.ts'

type Context = BulkContext & { role: Role; t: TextsOf<'voiceCampaigns'> }

const nameOf = (row: CampaignRow) => row.campaignName
const idOf = (row: CampaignRow) => row.campaignId

/** Pauses, resumes and stops several campaigns, where possible; the server checks each again. */
export function campaignBulk(context: Context): Bulk<CampaignRow> {
  const { role, t, format, common } = context
  return {
    nameOf,
    actions(chosen, keep) {
      const deedOf = (action: keyof typeof deeds) => {
        const rows = chosen.filter((row) => refusalOf(action, row, role) === null)
        const { details } = leftOut(chosen, rows, context)
        const question = rows.length === 1 ? t.questions[action] : t.questionsOfMany[action](format.count(rows.length))
        const label = t.actions[action]
        return {
          label,
          icon: deeds[action],
          danger: action === 'stop',
          disabledReason: rows.length === 0 ? common.table.noneCan : undefined,
          onClick: () => ask(action, { label, rows, keep, question, details }, context),
        }
      }
      return [deedOf('pause'), deedOf('resume'), deedOf('stop')]
    },
  }
}

const deeds = { pause: IconPlayerPause, resume: IconPlayerPlay, stop: IconPlayerStop }

type Asked = Pick<Parameters<typeof askForAll<CampaignRow>>[0], 'label' | 'rows' | 'keep' | 'question' | 'details'>

function ask(action: keyof typeof deeds, asked: Asked, context: Context): void {
  const { role, t } = context
  const deed = { ...asked, idOf, nameOf, again, labels: t.labels }
  const { pauseMany, resumeMany, stopMany } = voiceCampaignRoutes
  if (action === 'resume') {
    const run = (campaignIds: number[]) => call(resumeMany, { campaignIds })
    askForAll({ ...deed, failure: messages.resumeFailed, run }, context)
  } else if (action === 'pause') {
    const run = (campaignIds: number[], reason: string) => call(pauseMany, { campaignIds, reason })
    askForAll({ ...deed, ...reasonOf(role), failure: messages.pauseFailed, run }, context)
  } else {
    let now = false
    const details = (
      <>
        {asked.details}
        <Choice label={t.stopNow} hint={t.stopNowHint} onChange={(chosen) => (now = chosen)} />
      </>
    )
    const run = (campaignIds: number[], reason: string) => call(stopMany, { campaignIds, now, reason })
    askForAll({ ...deed, ...reasonOf(role), failure: messages.stopFailed, danger: true, details, run }, context)
  }
}
