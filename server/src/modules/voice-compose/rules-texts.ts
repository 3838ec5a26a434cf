import { keysTaken, type Flow } from '@ghanti/callflow/flow.ts'
import type { PreviewInput } from '@ghanti/contract/compose.ts'
import { partsOfText, unknownColumns } from '@ghanti/contract/sms-text.ts'
import type { FieldError } from '../../errors.ts'
import { textsOfRow } from '../sms-campaigns/rules.ts'
import { notTaken } from './rules-labels.ts'

export type CallText = {
  occasion: 'success' | 'fail' | 'dtmf'
  /** For 'dtmf': the first valid key of the call. */
  key: string | null
  /** For 'success': the minimum answered time. */
  minMs: number
  text: string
  field: string
}

export const textNoOf = (messageNo: number): number => messageNo % textsOfRow

/** In the order of their numbers: success, fail, keys. */
export function textsOf(input: PreviewInput): CallText[] {
  const { smsSuccessText, smsFailText, smsDtmfTexts = {}, callDurationSMS = 0 } = input
  const texts: CallText[] = []
  if (smsSuccessText !== undefined) {
    const minMs = Number(callDurationSMS) * 1000
    texts.push({ occasion: 'success', key: null, minMs, text: smsSuccessText, field: 'smsSuccessText' })
  }
  if (smsFailText !== undefined)
    texts.push({ occasion: 'fail', key: null, minMs: 0, text: smsFailText, field: 'smsFailText' })
  for (const [key, text] of Object.entries(smsDtmfTexts))
    texts.push({ occasion: 'dtmf', key, minMs: 0, text, field: `smsDtmfTexts.${key}` })
  return texts
}

export function sentOfTexts(input: PreviewInput): Record<string, unknown> {
  const { smsCli, smsSuccessText, smsFailText, smsDtmfTexts } = input
  const callDurationSMS = smsSuccessText === undefined ? undefined : (input.callDurationSMS ?? 0)
  return Object.fromEntries(
    Object.entries({ smsCli, smsSuccessText, smsFailText, smsDtmfTexts, callDurationSMS }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** Errors of the texts themselves. `flow` undefined: the accepted keys are not known. */
export function textProblems(
  texts: readonly CallText[],
  {
    smsCli,
    flow,
    columns,
  }: { smsCli: string | undefined; flow: Flow | undefined; columns: readonly string[] | undefined },
): FieldError[] {
  const problems: FieldError[] = []
  if (texts.length > 0 && smsCli === undefined)
    problems.push({
      field: 'smsCli',
      code: 'required',
      text: 'is required: the sender ID of the messages after the call',
    })
  const keys = flow && keysTaken(flow)
  for (const { field, key, text } of texts) {
    if (key !== null && keys && !keys.has(key)) problems.push({ field, code: 'invalid', text: notTaken(key) })
    const missing = columns ? unknownColumns(partsOfText(text), columns) : []
    if (missing.length > 0 && columns) {
      const has = columns.map((name) => `{${name}}`).join(', ')
      const names = missing.map((name) => `{${name}}`).join(', ')
      problems.push({ field, code: 'columns_missing', text: `names ${names}, and the file has ${has}` })
    }
  }
  return problems
}

/**
 * The most segments that one call of a row can lead to: a failed call has no other message, a successful one may also have that of its
 * first key. `segments`: per text for this row, null where it gets none.
 */
export function dearestSegments(
  texts: readonly Pick<CallText, 'occasion'>[],
  segments: readonly (number | null)[],
): number {
  const most = (occasion: CallText['occasion']): number =>
    texts.reduce(
      (dearest, text, no) => (text.occasion === occasion ? Math.max(dearest, segments[no] ?? 0) : dearest),
      0,
    )
  return Math.max(most('fail'), most('success') + most('dtmf'))
}
