import { dtmfKeys } from '@ghanti/contract/templates.ts'
import { menuBody, menuPlays, menuNeeds } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

export const dtmfInput: ComposeTemplate = {
  id: 1,
  shows: 1,
  english: { label: 'DTMF Input', does: 'Collects a key press' },
  sample: () => 'contacts',
  sentId: () => 1,
  Fields: late(() => import('./DtmfInputFields.tsx')),
  needs: (form) => [...menuNeeds(form), 'keys'],
  body: (form) => ({ ...menuBody(form), dtmf: keysInOrder(form.keys).join(',') }),
  plays: menuPlays,
  keys: (form) => keysInOrder(form.keys),
}

/** In telephone order, however they were clicked. */
function keysInOrder(keys: readonly string[]): string[] {
  return dtmfKeys.filter((key) => keys.includes(key))
}
