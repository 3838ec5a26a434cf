import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs.ts'
import { late } from '../../components/ui/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'

const RenameFile = late(() => import('./RenameFile.tsx'))

/** Opens the dialog that renames a contact file. */
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
