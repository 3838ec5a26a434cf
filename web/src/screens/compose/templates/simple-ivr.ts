import { lazy } from 'react'
import { Chosen } from './menu.ts'
import type { ComposeTemplate } from './template.ts'

export const simpleIvr: ComposeTemplate = {
  id: 0,
  sentId: () => 0,
  Fields: lazy(() => import('./SimpleIvrFields.tsx')),
  schema: () => ({ welcome: Chosen }),
  body: (form) => ({ welcomePId: form.welcome ?? '' }),
  plays: (form) => [{ role: 'welcome', promptId: form.welcome }],
  keys: () => null,
}
