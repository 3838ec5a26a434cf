import { ComposeForm } from './form.ts'

/**
 * What was typed survives leaving the form. The tab's own storage: pasted numbers should not outlive the tab
 * on a shared computer. One draft a user, and one for each campaign that is being duplicated
 * or contact file that it was opened with.
 */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export function draftKey(userId: number, duplicateOf: number | null, baseId: number | null = null): string {
  return `ghanti-compose-draft-${userId}-${duplicateOf ?? (baseId === null ? 'new' : `base-${baseId}`)}`
}

/** Null when there is none, or none that this version of the form can read. */
export function readDraft(storage: DraftStorage, key: string): ComposeForm | null {
  try {
    const parsed = ComposeForm.safeParse(JSON.parse(storage.getItem(key) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    // Storage may be forbidden, its text may be cut: no draft.
    return null
  }
}

/** Addresses of messages after the call are credentials: they are typed again. */
const noAddresses = { smsSuccessApi: '', smsFailApi: '', smsDtmfApi: '' }

/** A form as blank as it was opened is no draft. A chosen file cannot be kept: a browser gives it for the moment only; what became of it is. */
export function writeDraft(storage: DraftStorage, key: string, form: ComposeForm, blank: ComposeForm): void {
  const kept = { ...form, file: null, ...noAddresses }
  if (JSON.stringify(kept) === JSON.stringify({ ...blank, file: null, ...noAddresses })) return dropDraft(storage, key)
  keep(storage, key, [kept, { ...kept, numbers: '' }])
}

/** A tab's storage ends at about 5 MB: the first of these that it takes is kept, or nothing at all. */
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
    // Forbidden storage holds nothing.
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
