import * as z from 'zod/mini'
import { dropDraft, keep, type DraftStorage } from '../compose/draft.ts'
import { ComposeForm } from '../compose/form.ts'
import type { Start } from './message.ts'

const Draft = z.object({
  form: ComposeForm,
  message: z.object({ templateId: z.union([z.literal(0), z.literal(1)]), text: z.string() }),
})

/** One a user, and one for each campaign that is being duplicated; beside those of calls. */
export function smsDraftKey(userId: number, duplicateOf: number | null): string {
  return `ghanti-sms-draft-${userId}-${duplicateOf ?? 'new'}`
}

/** Null when there is none, or none that this version of the form can read. */
export function readSmsDraft(storage: DraftStorage, key: string): Start | null {
  try {
    const parsed = Draft.safeParse(JSON.parse(storage.getItem(key) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    // Storage may be forbidden, its text may be cut: no draft.
    return null
  }
}

/** A form as it was opened is no draft, whatever sender ID the form has chosen by itself. A browser gives a file for the moment only. */
export function writeSmsDraft(storage: DraftStorage, key: string, now: Start, blank: Start): void {
  const kept = { form: { ...now.form, file: null }, message: now.message }
  const asOpened = { form: { ...blank.form, file: null, cli: now.form.cli }, message: blank.message }
  if (JSON.stringify(kept) === JSON.stringify(asOpened)) return dropDraft(storage, key)
  keep(storage, key, [kept, { ...kept, form: { ...kept.form, numbers: '' } }])
}
