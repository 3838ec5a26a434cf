/** Reports a finished action at the edge of the screen. The reader can read it again (ToastHistory), and undo it if `undo` is given. */
export type Toast = {
  id: number
  /** The catalogue's English, or translated. */
  text: string
  at: Date
  undo?: (() => Promise<unknown>) | undefined
}

const keptMax = 30
let shown: readonly Toast[] = []
let said: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(toasts: readonly Toast[]): void {
  shown = toasts
  listeners.forEach((listener) => listener())
}

/** `undo` reverts it; its rejection is shown like any failure. */
export function showDone(text: string, undo?: () => Promise<unknown>): void {
  lastId += 1
  const toast = { id: lastId, text, at: new Date(), undo }
  said = [toast, ...said].slice(0, keptMax)
  change([...shown, toast].slice(-3))
}

export function closeToast(id: number): void {
  change(shown.filter((toast) => toast.id !== id))
}

/** At the end of a session: the next user of this computer must not read them. */
export function forgetToasts(): void {
  said = []
  change([])
}

export const toastStore = {
  get: () => shown,
  said: () => said,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
