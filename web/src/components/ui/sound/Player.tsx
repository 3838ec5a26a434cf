import { Suspense } from 'react'
import { loadTexts } from '../../../i18n/language.ts'
import { showDialog } from '../dialogs/dialogs.ts'
import { late } from '../loading/late.tsx'

/** The player of one sound, with the sound's URL as its key. Needs a Suspense around it. */
export const Sound = late(async () => {
  const [part] = await Promise.all([import('./Sound.tsx'), loadTexts('sound')])
  return part
})

/**
 * The listen modal (specification 1 §2), titled with the file's name. `saveAs`: it can be downloaded, under this name unless the server
 * sends another.
 */
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
