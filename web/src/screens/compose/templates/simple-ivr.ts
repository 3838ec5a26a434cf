import { Chosen } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

export const simpleIvr: ComposeTemplate = {
  id: 0,
  sentId: () => 0,
  Fields: late(() => import('./SimpleIvrFields.tsx')),
  schema: () => ({ welcome: Chosen }),
  body: (form) => ({ welcomePId: form.welcome ?? '' }),
  plays: (form) => [{ role: 'welcome', promptId: form.welcome }],
  keys: () => null,
}
