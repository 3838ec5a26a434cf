import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { subjectFault, subjects } from './commit-subjects.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-subjects-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

test.each([
  'Add a filter',
  'Address mails by name',
  'Pass on the port',
  'Process rows in turn',
  'Bring back a test',
  'Feed the log',
])('‘%s’ is a subject', (subject) => expect(subjectFault(subject)).toBeNull())

test.each([
  ['Added a filter', 'imperative'],
  ['Adds a filter', 'imperative'],
  ['Searches rows', 'imperative'],
  ['Adding a filter', 'imperative'],
  ['add a filter', 'capital letter'],
  ['Add a filter.', 'full stop'],
  [`Add ${'a'.repeat(69)}`, 'has 73 characters'],
])('‘%s’ is none', (subject, why) => expect(subjectFault(subject)).toContain(why))

test('subjects since the last tag are checked; a shallow clone has fewer, one without tags the last ones, and without history there are none', () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, stdio: 'pipe' })
  const whole = path.join(folder, 'whole')
  fs.mkdirSync(whole)
  expect(subjects(whole)).toEqual([])
  git(whole, 'init', '-q')
  for (const subject of ['One', 'Two', 'Three']) git(whole, 'commit', '-q', '--allow-empty', '-m', subject)
  expect(subjects(whole)).toEqual(['Three', 'Two', 'One'])
  git(folder, 'clone', '-q', '--depth', '1', `file://${whole}`, 'shallow')
  expect(subjects(path.join(folder, 'shallow'))).toEqual(['Three'])
  git(whole, 'tag', '-a', 'v0.2.0', '-m', 'Release 0.2.0', 'HEAD~1')
  expect(subjects(whole)).toEqual(['Three'])
  git(folder, 'clone', '-q', '--no-tags', `file://${whole}`, 'without-tags')
  expect(subjects(path.join(folder, 'without-tags'))).toEqual(['Three', 'Two', 'One'])
  git(whole, 'tag', '-a', 'v0.3.0', '-m', 'Release 0.3.0')
  expect(subjects(whole)).toEqual([])
})
