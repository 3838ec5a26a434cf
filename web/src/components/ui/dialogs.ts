import type { ReactNode } from 'react'

/** Dialogs from anywhere, one at a time over the page; their code loads after the page is there (DialogHost). */
export type DialogContent =
  | {
      kind: 'confirm'
      title: string
      question: string
      /** Shown above the failure's own words when onYes rejects. The catalogue's English or a translated text. */
      failure: string
      /** What the screen calls the fields that the failure may name. */
      labels?: Readonly<Record<string, string>>
      onYes: (reason: string) => Promise<unknown>
      /** Asks for a reason; `required` refuses YES without one. */
      reason?: { required: boolean }
      danger?: boolean
      details?: ReactNode
      /** Offered when it is refused (409): where what stands in the way can be seen to. */
      wayOut?: { label: string; go: () => void }
    }
  | { kind: 'success'; title?: string; text: string; onClose?: () => void }
  | {
      kind: 'failure'
      title?: string
      error: unknown
      labels?: Readonly<Record<string, string>>
      failure?: string | undefined
    }
  | { kind: 'custom'; title: string; render: (close: () => void) => ReactNode; size?: 'md' | 'lg' | 'xl' }

let open: { id: number; content: DialogContent } | null = null
let opener: HTMLElement | null = null
let lastId = 0
const listeners = new Set<() => void>()

function show(content: DialogContent): void {
  lastId += 1
  if (!open) opener = whoAsked()
  open = { id: lastId, content }
  listeners.forEach((listener) => listener())
}

/**
 * Asks before something is done that cannot be taken back: `title` names the object, `question` is the exact sentence, CANCEL and YES.
 * While it runs the dialog waits; a failure is shown inside and nowhere else.
 */
export function confirm(content: Omit<Extract<DialogContent, { kind: 'confirm' }>, 'kind'>): void {
  show({ kind: 'confirm', ...content })
}

/** The Success modal; `onClose` runs however it is closed. */
export function showSuccess(text: string, onClose?: () => void): void {
  show(onClose ? { kind: 'success', text, onClose } : { kind: 'success', text })
}

/**
 * The Error modal: the catalogue's text, under it errors[]. `labels` gives fields the names that the screen uses; `failure` is the catalogue's
 * sentence of the action, where it has one: the cause follows it.
 */
export function showFailure(error: unknown, labels: Readonly<Record<string, string>> = {}, failure?: string): void {
  show({ kind: 'failure', error, labels, failure })
}

/** Any other dialog: a player, a preview. */
export function showDialog(content: Omit<Extract<DialogContent, { kind: 'custom' }>, 'kind'>): void {
  show({ kind: 'custom', ...content })
}

/** Where the keyboard was; an entry of a menu will be gone by then, the menu's button not. */
function whoAsked(): HTMLElement | null {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const asked = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return asked instanceof HTMLElement ? asked : null
}

export function closeDialog(id: number): void {
  if (open?.id !== id) return
  open = null
  listeners.forEach((listener) => listener())
  requestAnimationFrame(() => !open && opener?.focus())
}

export const dialogStore = {
  get: () => open,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
