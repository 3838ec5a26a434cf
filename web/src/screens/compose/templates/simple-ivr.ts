import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

export const simpleIvr: ComposeTemplate = {
  id: 0,
  shows: 0,
  english: { label: 'Simple IVR', does: 'Plays one recording' },
  sample: () => 'contacts',
  sentId: () => 0,
  Fields: late(() => import('./SimpleIvrFields.tsx')),
  needs: () => ['welcome'],
  body: (form) => ({ welcomePId: form.welcome ?? '' }),
  plays: (form) => [{ role: 'welcome', promptId: form.welcome }],
  keys: () => null,
}
