import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import { late } from '../../components/ui/late.tsx'
import { loadTexts, textsOf } from '../../i18n/language.ts'
import type { Archiving } from './archive.ts'
import type { Deleted } from './DeleteCampaign.tsx'

/** The dialog, loaded when somebody wants it. */
const DeleteCampaign = late(() => import('./DeleteCampaign.tsx'))

/** Archives the campaign or brings it back. */
export async function openArchive(archiving: Archiving): Promise<void> {
  const [{ archiveOrBringBack }] = await Promise.all([import('./archive.ts'), loadTexts('retention')])
  await archiveOrBringBack(archiving)
}

/** Says what goes and what stays, asks for the campaign's name, and deletes it for good. */
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
