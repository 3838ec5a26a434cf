import { textsOf } from '../../../i18n/language.ts'
import { showFailure } from '../dialogs/dialogs.ts'
import { closeToast, showDone, toastStore, type Toast } from './toasts.ts'

/** Reverts what the toast reports, once, and reports that. */
export async function undoToast(toast: Toast): Promise<void> {
  const { undo } = toast
  if (!undo) return
  delete toast.undo
  try {
    await undo()
    closeToast(toast.id)
    showDone(textsOf('goTo').toasts.undone)
  } catch (error) {
    closeToast(toast.id)
    showFailure(error)
  }
}

export function undoNewest(): void {
  const toast = toastStore.get().findLast(({ undo }) => undo)
  if (toast) void undoToast(toast)
}
