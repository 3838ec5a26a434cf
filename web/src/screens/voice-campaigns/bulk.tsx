import type { Role } from '@ghanti/contract/roles.ts'
import type { CampaignRow } from '@ghanti/contract/voice-campaigns.ts'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import type { BulkContext } from '../../components/table/bulk.tsx'
import type { Bulk } from '../../components/table/DataTable.tsx'
import type { RowId } from '../../components/table/rows/selection.ts'
import type { TextsOf } from '../../i18n/areas.ts'
import { whenPerforming } from './actions.tsx'
import { refusalOf } from './allowed.ts'

export type CampaignBulkContext = BulkContext & { role: Role; t: TextsOf<'voiceCampaigns'> }

const icons = { pause: IconPlayerPause, resume: IconPlayerPlay, stop: IconPlayerStop }
export type BulkAction = keyof typeof icons
export type BulkChoice = {
  chosen: readonly CampaignRow[]
  /** Those of them that allow the action. */
  rows: readonly CampaignRow[]
  keep(ids: readonly RowId[]): void
}

/** Pauses, resumes and stops several campaigns, where possible; the server checks each again. */
export function campaignBulk(context: CampaignBulkContext): Bulk<CampaignRow> {
  const { role, t, common } = context
  return {
    nameOf: (row) => row.campaignName,
    actions: (chosen, keep) =>
      (['pause', 'resume', 'stop'] as const).map((action) => {
        const rows = chosen.filter((row) => refusalOf(action, row, role) === null)
        return {
          label: t.actions[action],
          icon: icons[action],
          danger: action === 'stop',
          disabledReason: rows.length === 0 ? common.table.noneCan : undefined,
          onClick: () => whenPerforming((does) => does.performOnMany(action, { chosen, rows, keep }, context)),
        }
      }),
  }
}
