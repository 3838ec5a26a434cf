import { ownValue } from '@ghanti/contract/own-values.ts'
import { ApiError } from '../../api/error.ts'
import type { TextsOf } from '../../i18n/areas.ts'

export function labelled(error: unknown, t: TextsOf<'smsCompose'>, contacts: string): unknown {
  if (!(error instanceof ApiError)) return error
  const labels: Readonly<Record<string, string>> = {
    cli: t.sender,
    smsText: t.text,
    templateId: t.template,
    baseId: contacts,
    contactList: contacts,
  }
  const errors = error.errors.map((one) => ({ ...one, field: ownValue(labels, one.field) ?? one.field }))
  return new ApiError(error.status, error.message, errors, error.retryAfterSeconds)
}
