import { late } from '../../components/ui/loading/late.tsx'
import { loadTexts } from '../../i18n/language.ts'

/** Loads together with its texts when a file has such dates; must be inside a Suspense. */
export const DateOrders = late(async () => {
  const [part] = await Promise.all([import('./DateOrders.tsx'), loadTexts('dateOrders')])
  return part
})
