import * as z from 'zod/mini'
import { dropDraft, keep, type DraftStorage } from '../../compose/opened/draft.ts'
import { ComposeForm, withoutFile } from '../../compose/form.ts'
import type { Start } from './message.ts'

const Draft = z.object({
  form: ComposeForm,
  message: z.object({ templateId: z.union([z.literal(0), z.literal(1)]), text: z.string() }),
})

export type OpenedWith = { duplicateOf: number | null; baseId: number | null }

/** One draft per user, and one per duplicated campaign and per contact file; separate from those of calls. */
export function smsDraftKey(userId: number, { duplicateOf, baseId }: OpenedWith): string {
  return `ghanti-sms-draft-${userId}-${duplicateOf ?? (baseId === null ? 'new' : `base-${baseId}`)}`
}

/** Null when there is none that this version of the form can read. */
export function readSmsDraft(storage: DraftStorage, key: string): Start | null {
  try {
    const parsed = Draft.safeParse(JSON.parse(storage.getItem(key) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    // Storage may be forbidden or its text cut: no draft.
    return null
  }
}

/** An unchanged form is not stored, whatever sender ID was preselected. */
export function writeSmsDraft(storage: DraftStorage, key: string, now: Start, blank: Start): void {
  const kept = { form: withoutFile(now.form), message: now.message }
  const asOpened = { form: { ...withoutFile(blank.form), cli: now.form.cli }, message: blank.message }
  if (JSON.stringify(kept) === JSON.stringify(asOpened)) return dropDraft(storage, key)
  keep(storage, key, [kept, { ...kept, form: { ...kept.form, numbers: '' } }])
}
