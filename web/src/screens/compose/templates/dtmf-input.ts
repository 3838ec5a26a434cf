import { dtmfKeys } from '@ghanti/contract/templates.ts'
import * as z from 'zod/mini'
import { menuBody, menuPlays, menuSchema } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

export const dtmfInput: ComposeTemplate = {
  id: 1,
  sentId: () => 1,
  Fields: late(() => import('./DtmfInputFields.tsx')),
  schema: (form) => ({
    ...menuSchema(form),
    keys: z.array(z.string()).check(z.minLength(1, { error: 'Choose at least one key' })),
  }),
  body: (form) => ({ ...menuBody(form), dtmf: keysInOrder(form.keys).join(',') }),
  plays: menuPlays,
  keys: (form) => keysInOrder(form.keys),
}

/** In telephone order, however they were clicked. */
function keysInOrder(keys: readonly string[]): string[] {
  return dtmfKeys.filter((key) => keys.includes(key))
}
