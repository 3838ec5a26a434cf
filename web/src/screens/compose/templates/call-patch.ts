import * as z from 'zod/mini'
import { agentProblem, agentsOf } from './agents.ts'
import { menuBody, menuPlays, menuSchema } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

export const callPatch: ComposeTemplate = {
  id: 2,
  sentId: () => 2,
  Fields: late(() => import('./CallPatchFields.tsx')),
  schema: (form) => ({
    ...menuSchema(form),
    ...problemAt(agentProblem(form)),
  }),
  body: (form) => ({
    ...menuBody(form),
    language: form.language,
    agentRows: agentsOf(form).map(({ number, key }) => ({ agentNumber: number, agentDtmf: key })),
  }),
  plays: menuPlays,
  keys: (form) => agentsOf(form).map(({ key }) => key),
}

function problemAt(problem: ReturnType<typeof agentProblem>): Record<string, z.ZodMiniType> {
  return problem ? { [problem.field]: z.never({ error: problem.text }) } : {}
}
