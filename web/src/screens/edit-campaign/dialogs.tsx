import { Suspense, type ReactNode } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { Edited } from './EditCampaign.tsx'
import type { EditedMessages } from './EditMessages.tsx'

const EditCampaign = late(() => import('./EditCampaign.tsx'))
const EditMessages = late(() => import('./EditMessages.tsx'))

/** Changes the name and times of a campaign that has not begun. */
export function openEdit(row: Edited): Promise<void> {
  return open(row.campaignName, (close) => <EditCampaign {...row} close={close} />)
}

export function openEditMessages(row: EditedMessages): Promise<void> {
  return open(row.campaignName, (close) => <EditMessages {...row} close={close} />)
}

async function open(name: string, form: (close: () => void) => ReactNode): Promise<void> {
  await Promise.all([loadTexts('editCampaign'), loadTexts('compose')])
  showDialog({
    title: textsOf('editCampaign').title(name),
    size: 'lg',
    render: (close) => <Suspense fallback={<div aria-busy />}>{form(close)}</Suspense>,
  })
}
