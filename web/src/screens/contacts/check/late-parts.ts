import { late } from '../../../components/ui/loading/late.tsx'
import { loadTexts } from '../../../i18n/language.ts'

/** Loads together with its texts when a file is picked; must be inside a Suspense. */
export const CheckFile = late(async () => {
  const [part] = await Promise.all([import('./CheckFile.tsx'), loadTexts('contactTable')])
  return part
})

/** The same as a sheet over a form, for a file that was refused. */
export const CheckSheet = late(async () => {
  const [part] = await Promise.all([import('./CheckSheet.tsx'), loadTexts('contactTable')])
  return part
})

/** The same for rows alone, of numbers that were pasted. */
export const RefusedRows = late(async () => {
  const [part] = await Promise.all([import('./RefusedRows.tsx'), loadTexts('contactTable')])
  return { default: part.RefusedRows }
})
