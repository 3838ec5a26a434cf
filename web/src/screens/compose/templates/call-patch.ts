import { agentProblem, agentsOf } from './agents.ts'
import { menuBody, menuPlays, menuNeeds } from './menu.ts'
import type { ComposeTemplate } from './template.ts'
import { late } from '../../../components/ui/loading/late.tsx'

export const callPatch: ComposeTemplate = {
  id: 2,
  shows: 2,
  english: { label: 'Call Patch', does: 'Connects to an agent' },
  sample: () => 'contacts',
  sentId: () => 2,
  Fields: late(() => import('./CallPatchFields.tsx')),
  needs: menuNeeds,
  faults(form) {
    const problem = agentProblem(form)
    return problem ? { [problem.field]: problem.text } : {}
  },
  body: (form) => ({
    ...menuBody(form),
    language: form.language,
    agentRows: agentsOf(form).map(({ number, key }) => ({ agentNumber: number, agentDtmf: key })),
  }),
  plays: menuPlays,
  keys: (form) => agentsOf(form).map(({ key }) => key),
}
