import { showFailure } from '../dialogs/dialogs.ts'

/** Uses a part that loads on first use, such as a dialog, and reports when it cannot be loaded. */
export async function whenLoaded<Part>(load: () => Promise<Part>, use: (part: Part) => unknown): Promise<void> {
  try {
    await use(await load())
  } catch (error) {
    showFailure(error)
  }
}
