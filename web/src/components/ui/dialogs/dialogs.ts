import type { ReactNode } from 'react'
import { isOfOtherAccount } from '../../../api/page-owner.ts'
import { afterPaint } from '../../table/rows/use-after-paint.ts'

/** Opens dialogs from anywhere, one at a time; their code loads later (DialogHost). */
export type DialogContent =
  | {
      kind: 'confirm'
      /** The object: 'user2'. */
      title: string
      /** Of questions that no specification words: it stands before the object in the title, and on the button instead of YES. */
      verb?: string
      question: string
      /** Shown beneath the cause when onYes rejects; the catalogue's English, or translated. */
      failure: string
      /** The screen's labels of fields that a failure may name. */
      labels?: Readonly<Record<string, string>>
      onYes: (reason: string) => Promise<unknown>
      reason?: { required: boolean }
      danger?: boolean
      /** Focuses YES, for decisions that are made many times in a row; otherwise CANCEL has the focus. */
      yesFirst?: boolean
      details?: ReactNode
      /** Offered after a 409: leads to where the obstacle can be removed. */
      wayOut?: { label: string; go: () => void }
    }
  | { kind: 'success'; title?: string; text: string; onClose?: () => void }
  | {
      kind: 'failure'
      title?: string
      error: unknown
      labels?: Readonly<Record<string, string>>
      failure?: string | true | undefined
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
 * Asks before something irreversible. `title` names the object, `question` is the exact sentence, with CANCEL and YES, or with `verb` as title
 * and button: 'Disable user2?'. Waits while it runs; a failure is shown inside only.
 */
export function confirm(content: Omit<Extract<DialogContent, { kind: 'confirm' }>, 'kind'>): void {
  show({ kind: 'confirm', ...content })
}

/** The Success modal; `onClose` runs however it is closed. */
export function showSuccess(text: string, onClose?: () => void): void {
  show(onClose ? { kind: 'success', text, onClose } : { kind: 'success', text })
}

/**
 * The Error modal. `labels`: the screen's names of fields. `failure`: the sentence that a specification requires for this action, beneath the cause,
 * or `true` for the server's message. That the session is another account's is said by a dialog of the page itself (OtherAccount).
 */
export function showFailure(
  error: unknown,
  labels: Readonly<Record<string, string>> = {},
  failure?: string | true,
): void {
  if (!isOfOtherAccount(error)) show({ kind: 'failure', error, labels, failure })
}

export function showDialog(content: Omit<Extract<DialogContent, { kind: 'custom' }>, 'kind'>): void {
  show({ kind: 'custom', ...content })
}

/** Where the focus returns. A menu's entry will be gone by then, so its button is used. */
function whoAsked(): HTMLElement | null {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  const asked = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : active
  return asked instanceof HTMLElement ? asked : null
}

/** Moves the focus on from what opened the dialog: at once, or when the dialog closes. */
export function returnFocusTo(element: HTMLElement): void {
  opener = element
  if (!open) element.focus()
}

export function closeDialog(id: number): void {
  if (open?.id !== id) return
  open = null
  listeners.forEach((listener) => listener())
  // Waits for the frame without the dialog, because moving the focus forces a layout of the page.
  afterPaint(() => !open && opener?.focus())
}

export const dialogStore = {
  get: () => open,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
