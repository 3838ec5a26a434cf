import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

/** Loads together with its texts when a file needs it; must be inside a Suspense. */
export const ChooseColumns = late(async () => {
  const [part] = await Promise.all([import('./ChooseColumns.tsx'), loadTexts('contactTable')])
  return part
})

/** The same for rows alone, of numbers that were pasted. */
export const RefusedRows = late(async () => {
  const [part] = await Promise.all([import('./RefusedRows.tsx'), loadTexts('contactTable')])
  return { default: part.RefusedRows }
})
