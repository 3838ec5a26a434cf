import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import { loadTexts } from './i18n/language.ts'
import { screenFile, type ScreenLine } from './paths.ts'

type ScreenModule = { default: ComponentType; loader?: LoaderFunction }
const modules = import.meta.glob<ScreenModule>('./screens/*/*Screen.tsx')

/** Fetches a screen and its texts; also called when the pointer rests on a link, so that the click finds them there. */
export async function loadScreen(line: ScreenLine): Promise<ScreenModule> {
  const load = modules[screenFile(line).replace(/^src/, '.')]
  if (!load) throw new Error(`There is no ${screenFile(line)}`)
  const [screen] = await Promise.all([load(), loadTexts(...line.texts)])
  return screen
}
