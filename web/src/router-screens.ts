import { ownValue } from '@ghanti/contract/own-values.ts'
import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'
import { loadTexts } from './i18n/language.ts'
import { screenFile, type ScreenLine } from './paths.ts'

type ScreenModule = { default: ComponentType; loader?: LoaderFunction }
const modules = import.meta.glob<ScreenModule>('./screens/*/*Screen.tsx')

/** Loads a screen and its texts; also called when a link is hovered, so that a click finds them loaded. */
export async function loadScreen(line: ScreenLine): Promise<ScreenModule> {
  const load = ownValue(modules, screenFile(line).replace(/^src/, '.'))
  if (!load) throw new Error(`There is no ${screenFile(line)}`)
  const [screen] = await Promise.all([load(), loadTexts(...line.texts)])
  return screen
}
