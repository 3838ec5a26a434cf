import { textsOf } from '../../i18n/language.ts'
import { showFailure } from './dialogs.ts'
import { closeToast, showDone, toastStore, type Toast } from './toasts.ts'

/** Takes back what the toast tells of, once, and says so. */
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

/** Of what is still on screen, the newest that can be undone. */
export function undoNewest(): void {
  const toast = toastStore.get().findLast(({ undo }) => undo)
  if (toast) void undoToast(toast)
}
