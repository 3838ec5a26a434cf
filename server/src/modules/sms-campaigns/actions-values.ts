import { nationalOf } from '@ghanti/contract/phone.ts'
import type { ListQuery } from '@ghanti/contract/route.ts'
import type { UnapprovedRow } from '@ghanti/contract/sms-campaigns.ts'
import { operatorPrefixesDefault } from '@ghanti/contract/operators.ts'
import type { Json } from '../../db/tables.ts'
import { conflict } from '../../errors.ts'
import type { Ctx, Page } from '../../http/types.ts'
import { audit, auditRead } from '../audit/actions.ts'
import { MessageValidator } from '../contacts/rows/rules-message.ts'
import { requireRow } from './actions-read.ts'
import * as store from './store-values.ts'

/** Rows whose column values are more than names and figures in an approved text, with the full message. */
export async function listUnapproved(ctx: Ctx, campaignId: number, query: ListQuery): Promise<Page<UnapprovedRow>> {
  const { account_id: ownerId, name } = await requireRow(ctx, campaignId)
  await auditRead(ctx, { action: 'sms.unapproved', target: `sms campaign ${campaignId}`, ownerId, detail: { name } })
  const page = await store.pageOfUnapproved(ctx.app.db, campaignId, query)
  const [first] = page.rows
  const settings = { templateId: 1, text: first?.text ?? '', operators: [], prefixes: operatorPrefixesDefault }
  const validator = new MessageValidator(settings)
  const rows = page.rows.map(({ line, phone, vars, reason }) => ({
    row: line,
    msisdn: nationalOf(String(phone)),
    smsText: validator.textOf({ phone, values: valuesOf(vars) }),
    reason,
  }))
  return { ...page, rows }
}

function valuesOf(vars: Json): Record<string, string> {
  if (typeof vars !== 'object' || vars === null || Array.isArray(vars)) return {}
  return Object.fromEntries(Object.entries(vars).map(([column, value]) => [column, String(value)]))
}

type Decision = { campaignId: number; status: 'approved' | 'rejected'; reason: string | null }

/** Decides on all waiting rows of the campaign; the engine applies it as soon as the campaign runs. */
export async function decideValues(ctx: Ctx, { campaignId, status, reason }: Decision): Promise<void> {
  const { account_id: ownerId, name } = await requireRow(ctx, campaignId)
  await ctx.app.db.transaction().execute(async (tx) => {
    if (!(await store.decideValues(tx, campaignId, { status, reason })))
      throw conflict('campaignId', 'is over, or has no row that waits for an approval', 'decided')
    const action = status === 'approved' ? 'sms.values.approve' : 'sms.values.reject'
    await audit(tx, ctx, action, `sms campaign ${campaignId}`, { name, ownerId, ...(reason !== null && { reason }) })
  })
}
