import { dtmfTaken, messages } from '@ghanti/contract/messages.ts'
import { dialable, nationalOf } from '@ghanti/contract/phone.ts'
import type { ComposeForm } from '../form.ts'

export type Agent = { number: string; key: string }
type Added = { ok: true; agents: Agent[] } | { ok: false; field: 'agentNumber' | 'agentKey'; text: string }

/** The agents with one more, or the error of the new one with its field (specification 1 §5). */
export function withAgent(agents: readonly Agent[], number: string, key: string | null): Added {
  if (number.trim() === '' || key === null)
    return {
      ok: false,
      field: key === null && number.trim() !== '' ? 'agentKey' : 'agentNumber',
      text: messages.agentAndDtmf,
    }
  const phone = dialable(number)
  if (!phone) return { ok: false, field: 'agentNumber', text: 'is not a number that can be called' }
  if (agents.some((agent) => agent.key === key)) return { ok: false, field: 'agentKey', text: dtmfTaken(key) }
  return { ok: true, agents: [...agents, { number: nationalOf(phone.e164), key }] }
}

type AgentRows = Pick<ComposeForm, 'agents' | 'agentNumber' | 'agentKey'>

/** The agents of the campaign: those that were added, and the one of the entry row once it is complete. */
export function agentsOf({ agents, agentNumber, agentKey }: AgentRows): readonly Agent[] {
  const added = withAgent(agents, agentNumber, agentKey)
  return added.ok ? added.agents : agents
}

/** What keeps the campaign from its agents: none at all, a half-filled row, or one that cannot be taken. Null: nothing. */
export function agentProblem({
  agents,
  agentNumber,
  agentKey,
}: AgentRows): { field: 'agentNumber' | 'agentKey'; text: string } | null {
  const hasNumber = agentNumber.trim() !== ''
  if (!hasNumber && agentKey === null)
    return agents.length > 0 ? null : { field: 'agentNumber', text: messages.agentRowMissing }
  if (!hasNumber || agentKey === null) return { field: 'agentNumber', text: messages.agentRowHalf }
  const added = withAgent(agents, agentNumber, agentKey)
  return added.ok ? null : added
}
