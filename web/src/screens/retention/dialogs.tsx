import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { Archiving } from './archive.ts'
import type { Deleted } from './DeleteCampaign.tsx'

const DeleteCampaign = late(() => import('./DeleteCampaign.tsx'))

export async function openArchive(archiving: Archiving): Promise<void> {
  const [{ archiveOrBringBack }] = await Promise.all([import('./archive.ts'), loadTexts('retention')])
  await archiveOrBringBack(archiving)
}

/** Says what is deleted and what stays, asks for the campaign's name, and deletes irrevocably. */
export async function openDelete(deleted: Deleted): Promise<void> {
  await loadTexts('retention')
  showDialog({
    title: textsOf('retention').delete.title(deleted.row.campaignName),
    render: (close) => (
      <Suspense fallback={<div aria-busy />}>
        <DeleteCampaign {...deleted} close={close} />
      </Suspense>
    ),
  })
}
