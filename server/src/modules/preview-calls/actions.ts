import type { PreviewCall } from '@ghanti/contract/preview-calls.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { PreviewInput } from '@ghanti/contract/compose.ts'
import { partsOf } from '@ghanti/callflow/flow.ts'
import type { Ctx } from '../../http/types.ts'
import { auditRead } from '../audit/actions.ts'
import { rowOfBase, type BaseRow } from '../contacts/actions-row.ts'
import { transactionWithAgents } from '../voice-compose/actions-agents.ts'
import { flowOfCampaign, flowOfInput, namesOfPrompts, type FlowOfBase } from '../voice-compose/actions-flow.ts'
import { addressFor } from './actions-address.ts'
import { spokenOf } from './actions-speak.ts'

export async function previewComposed(ctx: Ctx, input: PreviewInput, line: number | undefined): Promise<PreviewCall> {
  const { viewer } = ctx
  const of = await transactionWithAgents(ctx, (tx) => flowOfInput(tx, viewer, input))
  const { baseId, ownerId } = of
  await auditRead(ctx, { action: 'base.preview', target: `base ${baseId}`, ownerId, detail: { baseId } })
  return await heard(ctx, of, null, line)
}

export async function previewCampaign(ctx: Ctx, campaignId: number, line: number | undefined): Promise<PreviewCall> {
  const { app, viewer } = ctx
  const of = await app.db.transaction().execute((tx) => flowOfCampaign(tx, viewer, campaignId))
  const { ownerId, name } = of
  await auditRead(ctx, { action: 'campaign.preview', target: `campaign ${campaignId}`, ownerId, detail: { name } })
  return await heard(ctx, of, campaignId, line)
}

async function heard(
  ctx: Ctx,
  of: FlowOfBase,
  campaignId: number | null,
  line: number | undefined,
): Promise<PreviewCall> {
  const { app, viewer } = ctx
  const found = await rowOfBase(ctx, { ...of, line })
  const prompts = partsOf(of.flow).flatMap((part) => (part.kind === 'prompt' ? [part] : []))
  const names = await app.db.transaction().execute((tx) =>
    namesOfPrompts(
      tx,
      prompts.map(({ promptId }) => promptId),
    ),
  )
  const spoken = await spokenOf(ctx, { ...of, campaignId }, found)
  const byHash = new Map(prompts.map((part) => [part.hash, part]))
  return {
    flow: of.flow,
    keyLabels: of.keyLabels,
    row: { ...rowOf(found), ...(typeof spoken === 'string' && { refused: spoken }) },
    prompts: [...byHash.values()].map(({ hash, promptId }) => ({
      hash,
      fileName: `${names.get(promptId) ?? ''}.wav`,
      url: addressFor(app, viewer, hash),
    })),
    spoken: typeof spoken === 'string' ? [] : spoken.map((one) => ({ ...one, url: addressFor(app, viewer, one.hash) })),
  }
}

function rowOf({ row, blacklisted, previous, next }: BaseRow): PreviewCall['row'] {
  const at = { line: row.line, previous, next, blacklisted }
  if (!('phone' in row)) return { ...at, mobile: null, values: [{ column: '', value: row.text }], refused: row.reason }
  const values = Object.entries(row.values).map(([column, value]) => ({ column, value }))
  return { ...at, mobile: nationalOf(String(row.phone)), values, refused: null }
}
