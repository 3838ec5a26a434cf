import { showFailure } from '../dialogs/dialogs.ts'

/** Uses a part that is loaded when it is first wanted, such as a dialog; where it does not arrive, that is said. */
export async function whenLoaded<Part>(load: () => Promise<Part>, use: (part: Part) => unknown): Promise<void> {
  try {
    await use(await load())
  } catch (error) {
    showFailure(error)
  }
}
