import { Suspense } from 'react'
import { showDialog } from '../../components/ui/dialogs/dialogs.ts'
import { late } from '../../components/ui/loading/late.tsx'
import type { TextsOf } from '../../i18n/areas.ts'

const AddRows = late(() => import('./AddRows.tsx'))
const UploadContacts = late(() => import('./UploadContacts.tsx'))
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

export function askUpload(userId: number, t: TextsOf<'contactFiles'>, go: (path: string) => void): void {
  showDialog({
    title: t.upload.title,
    size: 'lg',
    render: (close) => (
      <Suspense fallback={null}>
        <UploadContacts userId={userId} close={close} onStored={(baseId) => go(`/contact-files/${baseId}`)} />
      </Suspense>
    ),
  })
}

export function askRows(file: { baseId: number; baseName: string }, t: TextsOf<'contactFiles'>): void {
  showDialog({
    title: t.add.title(file.baseName),
    size: 'lg',
    render: (close) => (
      <Suspense fallback={null}>
        <AddRows file={file} close={close} />
      </Suspense>
    ),
  })
}
