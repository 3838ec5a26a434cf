import { operatorCode } from '@ghanti/contract/operators.ts'
import type { DeliveryStatus } from '@ghanti/contract/sms-campaigns.ts'
import { partsOfText, unknownColumns } from '@ghanti/contract/sms-text.ts'
import type { SmsState } from '../../db/tables.ts'
import type { FieldError } from '../../errors.ts'

/** A message after a call is numbered row × 16 + text, so each row gets each text once, whatever is retried. */
export const textsOfRow = 16

export function columnProblems(
  { templateId, smsText }: { templateId?: number | undefined; smsText?: string | undefined },
  columns: readonly string[],
): FieldError[] {
  if (templateId !== 1 || smsText === undefined) return []
  const missing = unknownColumns(partsOfText(smsText), columns)
  if (missing.length === 0) return []
  const names = missing.map((name) => `{${name}}`).join(', ')
  const has = columns.map((name) => `{${name}}`).join(', ')
  return [{ field: 'smsText', code: 'columns_missing', text: `names ${names}, and the file has ${has}` }]
}

export const allOperators: readonly number[] = Object.values(operatorCode)

export const deliveryStatusOf: Record<SmsState, DeliveryStatus> = {
  fresh: 'Waiting',
  waiting: 'Waiting',
  submitted: 'Submitted',
  delivered: 'Delivered',
  failed: 'Failed',
  expired: 'Expired',
  unknown: 'Unknown',
  dnd: 'DND',
  unreachable: 'Unreachable',
}

export const followsCalls = 'follows the calls of its campaign: change that one, and its messages move with it'

/** Messages of a test, translated in contract/src/nepali/after-call.ts. */
export const testWords = {
  blacklisted: 'is blacklisted',
  noMobile: 'is not a mobile number: a message would not reach it',
  noFile: 'is required: the text names columns of the contact file',
  unsendable: (why: string) => `gets no message: ${why}`,
  unapproved: (why: string) => `is not sent with this row: ${why}`,
  again: 'must wait a second: a test message has just been started',
  waits: 'no gateway has taken it yet; it is given up after ten minutes',
} as const
