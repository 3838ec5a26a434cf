import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

/** Few accounts need it, so the sign-in page is not larger for it. */
export const SecondStep = late(async () => {
  const [part] = await Promise.all([import('./SecondStep.tsx'), loadTexts('factors')])
  return part
})

export const Prove = late(async () => {
  const [part] = await Promise.all([import('./Prove.tsx'), loadTexts('factors')])
  return part
})
