import { keyRoutes, type KeyRow } from '@ghanti/contract/keys.ts'
import { refresh } from '../../../api/query.ts'
import { showDialog } from '../../../components/ui/dialogs/dialogs.ts'
import { KeyShown } from './KeyShown.tsx'
import { NewKey } from './NewKey.tsx'
import { RollKey } from './RollKey.tsx'
import { keyTexts } from './texts.ts'

export function openNewKey(): void {
  const t = keyTexts()
  showDialog({ title: t.createWhat, size: 'md', render: (close) => <NewKey made={showKey(close)} close={close} /> })
}

export function openRoll(row: Pick<KeyRow, 'keyId' | 'name'>): void {
  const title = keyTexts().rollTitle(row.name)
  showDialog({ title, size: 'md', render: (close) => <RollKey row={row} made={showKey(close)} close={close} /> })
}

/** In place of the form that asked for it. */
const showKey = (close: () => void) => (key: string) => {
  void refresh(keyRoutes.list)
  close()
  // After that dialog has closed itself.
  setTimeout(() => {
    const { shown } = keyTexts()
    showDialog({
      title: shown.title,
      size: 'md',
      render: (done) => <KeyShown value={key} texts={shown} close={done} />,
    })
  })
}
