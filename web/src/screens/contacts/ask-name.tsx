import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'

const RenameFile = late(() => import('./RenameFile.tsx'))

export function askName(file: { baseId: number; baseName: string }, t: TextsOf<'contactFiles'>): void {
  showDialog({
    title: t.renameTitle(file.baseName),
    size: 'md',
    render: (close) => (
      <Suspense fallback={null}>
        <RenameFile file={file} close={close} />
      </Suspense>
    ),
  })
}
