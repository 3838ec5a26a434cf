import type { PreviewInput } from '@ghanti/contract/compose.ts'
import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { Problems } from '../campaigns/actions.ts'
import { previewCallTexts, type CallTextPreview } from '../contacts/actions-call-texts.ts'
import { valueRuleOf } from '../contacts/rows/rules-values.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { settingOf } from '../platform/actions.ts'
import { approvalOf } from '../sms-texts/actions.ts'
import { operatorsToPreview } from '../sms-campaigns/actions-preview.ts'
import { dearestSegments, textProblems, textsOf } from './rules-texts.ts'

/** What the texts after calls amount to for this file. Null when there are none. Throws 400 naming a text with a column that the file lacks. */
export async function previewTexts(
  ctx: Ctx,
  input: PreviewInput,
  { baseId, columns }: { baseId: number; columns: readonly string[] },
): Promise<CallTextPreview | null> {
  const texts = textsOf(input)
  if (texts.length === 0) return null
  const { smsCli } = input
  const problems = textProblems(texts, { smsCli: smsCli ?? '', flow: undefined, columns })
  if (problems.length > 0) throw new AppError('bad_input', problems)
  const operators = await operatorsToPreview(ctx, smsCli, 'smsCli')
  const prefixes = await settingOf(ctx.app.db, 'operatorPrefixes')
  const { accountType, approval } = await approvalOf(ctx)
  return await previewCallTexts(ctx, {
    baseId,
    templateId: input.templateId ?? 0,
    settings: {
      texts: texts.map(({ text }) => text),
      operators,
      prefixes,
      values: texts.map(({ text }) => valueRuleOf(text, accountType, approval)),
    },
    dearest: (segments) => dearestSegments(texts, segments),
    kind: texts.map(({ occasion }) => occasion).join(' '),
  })
}

type Estimate = NonNullable<ContactPreview['estimate']>
type Estimated = { atMostPaisa: number; wire: Estimate['messages']; perSegment: Estimate['perSegment'] }

/** The account's price per segment; null where its plans do not determine one and no text needs it. */
export async function segmentPaisa(tx: Tx, accountId: number, isNeeded: boolean): Promise<number | null> {
  const problems = new Problems()
  const chain = await problems.of(() => smsPriceChain(tx, accountId))
  if (isNeeded) problems.refuseIfAny()
  return chain?.[0]?.segmentPaisa ?? null
}

export function estimateTexts(pricePaisa: number | null, texts: CallTextPreview | null): Estimated {
  const perSegment = pricePaisa === null ? null : rupeesOf(pricePaisa)
  if (texts === null) return { atMostPaisa: 0, wire: null, perSegment }
  const price = pricePaisa ?? 0
  const { segments, most, unsendable, unapproved } = texts
  const wire = {
    atMost: rupeesOf(segments * price),
    perCallAtMost: rupeesOf(most * price),
    segments,
    unsendable: Math.max(0, ...unsendable),
    unapproved: Math.max(0, ...unapproved),
  }
  return { atMostPaisa: segments * price, wire, perSegment }
}
