import { showFailure } from './dialogs.ts'

/** A part that does not arrive is reported. */
export async function whenLoaded<Part>(load: () => Promise<Part>, use: (part: Part) => unknown): Promise<void> {
  try {
    await use(await load())
  } catch (error) {
    showFailure(error)
  }
}
