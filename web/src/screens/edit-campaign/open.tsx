import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import { late } from '../../components/ui/late.tsx'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { Edited } from './EditCampaign.tsx'

const EditCampaign = late(() => import('./EditCampaign.tsx'))

/** Changes the name and times of a campaign that has not begun. */
export async function openEdit(row: Edited): Promise<void> {
  await Promise.all([loadTexts('editCampaign'), loadTexts('compose')])
  showDialog({
    title: textsOf('editCampaign').title(row.campaignName),
    size: 'lg',
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <EditCampaign {...row} close={close} />
      </Suspense>
    ),
  })
}
