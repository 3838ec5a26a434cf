import { Suspense } from 'react'
import { loadTexts } from '../../../i18n/language.ts'
import { showDialog } from '../dialogs.ts'
import { late } from '../late.tsx'

/** Its key is the sound's URL. Needs a Suspense around it. */
export const Sound = late(async () => {
  const [part] = await Promise.all([import('./Sound.tsx'), loadTexts('sound')])
  return part
})

/** Specification 1 §2. `saveAs`: the download's name unless the server sends another. */
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
