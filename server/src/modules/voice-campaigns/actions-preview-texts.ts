import type { PreviewInput } from '@ghanti/contract/compose.ts'
import type { ContactPreview } from '@ghanti/contract/contacts.ts'
import { rupeesOf } from '@ghanti/contract/money.ts'
import type { Tx } from '../../db/db.ts'
import { AppError } from '../../errors.ts'
import type { Ctx } from '../../http/types.ts'
import { previewCallTexts, type CallTextPreview } from '../contacts/actions-call-texts.ts'
import { smsPriceChain } from '../credits/actions-sms.ts'
import { operatorPrefixes } from '../platform/actions.ts'
import { operatorsToPreview } from '../sms-campaigns/actions-preview.ts'
import { dearestSegments, textProblems, textsOf } from './rules-texts.ts'

/** What the texts after the calls come to for this file; null without any. 400 naming the text that has a column which the file lacks. */
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
  const prefixes = await operatorPrefixes(ctx.app.db)
  return await previewCallTexts(ctx, {
    baseId,
    templateId: input.templateId ?? 0,
    settings: { texts: texts.map(({ text }) => text), operators, prefixes },
    dearest: (segments) => dearestSegments(texts, segments),
    kind: texts.map(({ occasion }) => occasion).join(' '),
  })
}

type Estimated = { atMostPaisa: number; wire: NonNullable<ContactPreview['estimate']>['messages'] }

/** In money, at the account's own price of a segment. */
export async function estimateTexts(tx: Tx, accountId: number, texts: CallTextPreview | null): Promise<Estimated> {
  if (texts === null) return { atMostPaisa: 0, wire: null }
  const [level] = await smsPriceChain(tx, accountId)
  const price = level?.segmentPaisa ?? 0
  const { segments, most, unsendable } = texts
  const wire = {
    atMost: rupeesOf(segments * price),
    perCallAtMost: rupeesOf(most * price),
    segments,
    unsendable: Math.max(0, ...unsendable),
  }
  return { atMostPaisa: segments * price, wire }
}
