import { ComposeForm, withoutFile, withoutSecrets } from '../form.ts'
import { composeTemplateOf } from '../templates/table.ts'

export type OpenedWith = { duplicateOf: number | null; baseId: number | null; setupId: number | null }

/**
 * Typed input survives leaving the form. Uses the tab's own storage, so that pasted numbers do not outlive the tab on a shared computer.
 * One draft per user, and one for each duplicated campaign, contact file or set-up that compose was opened with.
 */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function draftKey(userId: number, { duplicateOf, baseId, setupId }: OpenedWith): string {
  const ofOther = baseId === null ? (setupId === null ? 'new' : `setup-${setupId}`) : `base-${baseId}`
  return `ghanti-compose-draft-${userId}-${duplicateOf ?? ofOther}`
}

/** Null when there is none that can be read. A field that is newer than the draft is blank, and so is a card that there is no more. */
export function readDraft(storage: DraftStorage, key: string): ComposeForm | null {
  try {
    const parsed = ComposeForm.safeParse(JSON.parse(storage.getItem(key) ?? 'null'))
    if (!parsed.success) return null
    const { template } = parsed.data
    return { ...parsed.data, template: composeTemplateOf(template) ? template : null }
  } catch {
    // Storage may be forbidden or its text cut: no draft.
    return null
  }
}

/** An unchanged form is not stored. */
export function writeDraft(storage: DraftStorage, key: string, form: ComposeForm, blank: ComposeForm): void {
  const kept = withoutSecrets(withoutFile(form))
  if (JSON.stringify(kept) === JSON.stringify(withoutSecrets(withoutFile(blank)))) return dropDraft(storage, key)
  keep(storage, key, [kept, { ...kept, numbers: '' }])
}

/** A tab's storage ends at about 5 MB: stores the first of these that fits, or nothing. */
export function keep(storage: DraftStorage, key: string, drafts: readonly unknown[]): void {
  for (const draft of drafts) {
    try {
      return storage.setItem(key, JSON.stringify(draft))
    } catch {
      // The next one is smaller.
    }
  }
  dropDraft(storage, key)
}

export function dropDraft(storage: DraftStorage, key: string): void {
  try {
    storage.removeItem(key)
  } catch {
    // Storage may be forbidden.
  }
}

/** The tab's storage, or one that forgets where the browser forbids it. */
export function tabStorage(): DraftStorage {
  try {
    return window.sessionStorage
  } catch {
    return { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  }
}
