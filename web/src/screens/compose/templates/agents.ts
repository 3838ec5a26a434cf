import { dtmfTaken, messages } from '@ghanti/contract/messages.ts'
import { dialable, nationalOf } from '@ghanti/contract/phone.ts'

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
