import * as fs from 'node:fs'
import * as path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'docs')
const text = fs.readFileSync(path.join(folder, 'security.md'), 'utf8')

/** Tests that the document cites as evidence: `[name of the test](../path/to/file.test.ts)`. */
const named = [...text.matchAll(/\[([^\]]+)\]\((\.\.\/[^)#]+\.test\.tsx?)\)/g)].map(([, name = '', file = '']) => ({
  name,
  file: path.relative(root, path.resolve(folder, file)),
}))

test('the document cites its evidence', () => expect(named.length).toBeGreaterThan(40))

test.each(named)('docs/security.md: $file has the test “$name”', ({ name, file }) => {
  const source = fs.readFileSync(path.join(root, file), 'utf8').replaceAll("\\'", "'")
  expect(source).toContain(name)
})
