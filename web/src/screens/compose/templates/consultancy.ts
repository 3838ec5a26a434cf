import { consultancyKeys } from '@ghanti/contract/templates.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

/** Each has its allowed keys (specification 1 §3). */
export const consultancyMenus = ['menu1', 'menu2', 'menu3', 'menu4', 'menu5'] as const

export const consultancy: ComposeTemplate = {
  id: 6,
  shows: 8,
  english: { label: 'Consultancy', does: 'Asks five questions' },
  sample: () => 'consultancy',
  sentId: () => 8,
  Fields: late(() => import('./ConsultancyFields.tsx')),
  needs: () => ['welcome', ...consultancyMenus, 'menuWait', 'rePrompts'],
  body: (form) => ({
    templateName: 'consultancy',
    welcomePId: form.welcome ?? '',
    prompts: {
      menus: consultancyMenus.map((menu, index) => ({
        promptId: form[menu] ?? '',
        dtmf: consultancyKeys[index]?.join('|') ?? '',
      })),
    },
    menuWaitTime: form.menuWait,
    rePrompt: form.rePrompts,
  }),
  plays: (form) => (['welcome', ...consultancyMenus] as const).map((role) => ({ role, promptId: form[role] })),
  keys: () => [...consultancyKeys[0]],
}
