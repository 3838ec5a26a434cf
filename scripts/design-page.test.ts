import * as path from 'node:path'
import { expect, test } from 'vitest'
import { sources } from './tidy-sources.ts'

const textOf = new Map(sources.map(({ file, text }) => [file, text]))

/** Our own files that a file imports, statically or dynamically. */
function importsOf(file: string): string[] {
  const named = textOf.get(file)?.matchAll(/(?:from|import\() ?'(\.[^']+)'/g) ?? []
  return [...named].map(([, to = '']) => path.posix.join(path.posix.dirname(file), to))
}

function reachedFrom(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const next of importsOf(file)) reachedFrom(next, seen)
  return seen
}

const isShared = (file: string) => /^web\/src\/components\/.*\.tsx$/.test(file) && !file.endsWith('.test.tsx')

/** What the application puts around every page, this one included. */
const dialogs = 'web/src/components/ui/dialogs/DialogHost.tsx'

test('/design shows every component that screens share', () => {
  const shared = [...textOf.keys()].filter(isShared)
  const reached = reachedFrom('web/src/design/Design.tsx', new Set(reachedFrom(dialogs)))
  expect(shared.length).toBeGreaterThan(40)
  expect(shared.filter((file) => !reached.has(file))).toEqual([])
})
