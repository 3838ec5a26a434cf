import { Flow } from '@ghanti/callflow/flow.ts'
import { storedKeyLabels } from '@ghanti/contract/key-labels.ts'
import type { KeyLabels } from '@ghanti/contract/key-names.ts'
import type { PreviewInput } from '@ghanti/contract/compose.ts'
import type { Db, Tx } from '../../db/db.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { ownScope, scopeOf, type Viewer } from '../../policy.ts'
import { requireBase } from '../contacts/actions.ts'
import { Problems } from '../campaigns/actions.ts'
import { requireAgents, type AgentsTx } from './actions-agents.ts'
import { buildFlow, requireParts } from './actions.ts'
import { composerOf } from './rules.ts'
import * as store from './store-flow.ts'

export type FlowOfBase = { flow: Flow; keyLabels: KeyLabels; baseId: number; templateId: number; ownerId: number }

/** What compose would freeze of this part of its body; throws 400 naming each missing or wrong field. */
export async function flowOfInput(tx: AgentsTx, viewer: Viewer, input: PreviewInput): Promise<FlowOfBase> {
  const { baseId, templateId } = input
  const problems = new Problems()
  const composer = composerOf(templateId ?? -1)
  if (!composer) problems.add([missing('templateId')])
  const read = composer?.read(input)
  if (read && !read.ok) problems.add(read.errors)
  const answers = read?.ok ? read.answers : undefined
  const parts = await problems.of(() => requireParts(tx, viewer.userId, answers))
  if (baseId === undefined) problems.add([missing('baseId')])
  else await problems.of(() => requireBase(tx, ownScope(viewer), baseId, templateId ?? 0))
  problems.refuseIfAny()
  if (!composer || !answers || !parts || baseId === undefined || templateId === undefined)
    throw new Error('a flow passed its checks without its required input')
  await requireAgents(tx, viewer.userId, input, answers)
  const flow = buildFlow(composer.template, answers, parts)
  return { flow, keyLabels: input.keyLabels ?? {}, baseId, templateId, ownerId: viewer.userId }
}

function missing(field: string): FieldError {
  return { field, code: 'required', text: 'is required' }
}

/** As frozen when the campaign was composed; throws 404 for one that the viewer may not see. */
export async function flowOfCampaign(
  tx: Tx,
  viewer: Viewer,
  campaignId: number,
): Promise<FlowOfBase & { name: string }> {
  const found = await store.findFlow(tx, scopeOf(viewer), campaignId)
  if (!found) throw new AppError('not_found')
  return {
    name: found.name,
    flow: Flow.parse(found.flow),
    keyLabels: storedKeyLabels(found.keyLabels),
    baseId: found.base_id,
    templateId: found.template_id,
    ownerId: found.account_id,
  }
}

export function namesOfPrompts(db: Db, promptIds: readonly number[]): Promise<Map<number, string>> {
  return store.promptNames(db, promptIds)
}
