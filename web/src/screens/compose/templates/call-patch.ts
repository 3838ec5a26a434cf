import { messages } from '@ghanti/contract/messages.ts'
import * as z from 'zod/mini'
import { menuBody, menuPlays, menuSchema } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/late.tsx'

export const callPatch: ComposeTemplate = {
  id: 2,
  sentId: () => 2,
  Fields: late(() => import('./CallPatchFields.tsx')),
  schema: (form) => ({
    ...menuSchema(form),
    agentNumber: z.string().check(
      z.refine((number) => number.trim() === '' && form.agentKey === null, {
        error: messages.agentRowHalf,
        abort: true,
      }),
      z.refine(() => form.agents.length > 0, { error: messages.agentRowMissing }),
    ),
  }),
  body: (form) => ({
    ...menuBody(form),
    agentRows: form.agents.map(({ number, key }) => ({ agentNumber: number, agentDtmf: key })),
  }),
  plays: menuPlays,
  keys: (form) => form.agents.map(({ key }) => key),
}
