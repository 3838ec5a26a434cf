import { Suspense } from 'react'
import { loadTexts } from '../../i18n/language.ts'
import { showDialog } from './dialogs.ts'
import { late } from './late.tsx'

/** The player of one sound; give it the sound's address as its key. Inside a Suspense. */
export const Sound = late(async () => {
  const [part] = await Promise.all([import('./Sound.tsx'), loadTexts('sound')])
  return part
})

/** The listen modal (specification 1 §2): one sound under the name of its file; `saveAs`: it can be downloaded, under that name unless the server gives it another. */
export function listenTo(fileName: string, src: string, saveAs?: string): void {
  showDialog({
    title: fileName,
    render: () => (
      <Suspense fallback={null}>
        <Sound src={src} autoPlay {...(saveAs !== undefined && { saveAs })} />
      </Suspense>
    ),
  })
}
