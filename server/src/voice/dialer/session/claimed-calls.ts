import { attemptOf, type CallPorts } from '../call/call-ports.ts'
import { Call } from '../call/call.ts'
import type { Claimed, ClaimOf } from '../../model/campaigns/claim.sql.ts'
import { cliOfTrunk, type Plan } from '../../model/calls/plan.ts'
import type { Plans } from '../../model/calls/plans.ts'
import { spokenOf, type SpokenSource } from '../audio/speech.sql.ts'
import type { SpeechCache } from '../audio/speech-cache.ts'

/** The calls of claimed rows. `claimSentMono`: when the claim was sent. `silent`: why a row's values cannot be spoken; null: they can. */
export async function newCalls(
  { deps, plans, speech }: { deps: SpokenSource; plans: Plans; speech: SpeechCache },
  rows: readonly Claimed[],
  plan: Plan,
  ports: CallPorts,
  of: ClaimOf & { claimSentMono: number },
): Promise<{ call: Call; silent: string | null }[]> {
  const claimedAt = Date.now()
  const spoken = await spokenOf(deps, plan, rows)
  // A second reading of the rows shows whether their missing sounds are gone for good.
  if (rows.some(({ no }) => spoken(no) === undefined)) plans.forget(plan.campaignId)
  const clis = new Map(of.clis.map(({ id, number }) => [id, cliOfTrunk(id, number, of.trunkId)]))
  return rows.map((row) => {
    const cli = clis.get(row.cli_id)
    if (!cli) throw new Error(`attempt ${row.id} shows caller ID ${row.cli_id}, which was not claimed`)
    const said = spoken(row.no)
    const call = new Call(attemptOf(row, { claimedAt, cli, stream: of.stream, spoken: said ?? [] }), plan, ports, of)
    if (!said) return { call, silent: 'what it says could not be read' }
    return { call, silent: speech.canPlay(said) ? null : 'what it says is not on the dialer' }
  })
}
