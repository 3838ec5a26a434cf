/**
 * `npm run test:mutations`: plants one fault after another in a copy of the tree and expects the tests that its patch names to fail. So it shows that what
 * `npm test` leaves out costs none of what it finds. Fails for a fault that nobody notices, and for a patch that no longer applies: whoever moves the
 * code moves the patch. `npm run test:mutations -- csv` takes the patches whose names have that word.
 * - A patch in scripts/mutations/ begins with what is wrong then, and a line `caught by: <project> <file>` for each test file that must notice it, with
 * `| <part of a name>` behind it where single tests suffice.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { readReport } from './reports.ts'
import { exhaustive } from './tiers.ts'

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'scripts/mutations')
/** On the file system of node_modules, because hard links lead to no other. Not below it, because it is copied. */
const copy = path.join(root, '.ghanti/mutations')
const report = path.join(copy, 'report.json')
/** Git would look for the repository above, and leave out what that ignores. */
const env = { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(copy), NO_COLOR: '1' }

type Mutation = { name: string; patch: string; what: string; tests: string[] }

function read(name: string): Mutation {
  const patch = path.join(folder, name)
  const [head = ''] = fs.readFileSync(patch, 'utf8').split('\n--- ', 1)
  const lines = head.split('\n')
  const tests = lines.flatMap((line) => /^caught by: (.*)$/.exec(line)?.[1] ?? [])
  if (tests.length === 0) throw new Error(`${name} names no test that catches it`)
  return { name, patch, what: lines[0] ?? '', tests }
}

function makeCopy(): void {
  fs.rmSync(copy, { recursive: true, force: true })
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\0')) {
    if (file === '' || !fs.existsSync(path.join(root, file))) continue
    fs.cpSync(path.join(root, file), path.join(copy, file), { verbatimSymlinks: true })
  }
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(copy, 'node_modules')])
  fs.rmSync(path.join(copy, 'node_modules/.cache'), { recursive: true, force: true }) // written in place
}

/** What `npm test` runs of a file. */
const tier = ['--tags-filter', `!${exhaustive}`]

const apply = (patch: string, ...options: string[]): boolean =>
  spawnSync('git', ['apply', ...options, patch], { cwd: copy, env, stdio: 'inherit' }).status === 0

/** The names of the tests that failed, and the files that failed outside their tests. */
function failedOf(test: string): { tests: string[]; files: string[] } {
  const [where = '', name] = test.split(' | ')
  const [project = '', file = ''] = where.split(' ')
  const named = name === undefined ? [] : ['-t', name]
  const args = ['run', '--project', project, '--maxWorkers', '1', '--reporter=json', `--outputFile.json=${report}`]
  const vitest = path.join(copy, 'node_modules/.bin/vitest')
  const { status } = spawnSync(vitest, [...args, ...tier, file, ...named], { cwd: copy, env, stdio: 'ignore' })
  const { failed, files } = readReport(report)
  if (files.length === 0) throw new Error(`no test of ${test} ran`)
  const broken = failed.filter(({ tests }) => tests.length === 0).map((one) => path.relative(copy, one.file))
  return { tests: failed.flatMap(({ tests }) => tests), files: status === 0 ? [] : broken }
}

const words = process.argv.slice(2)
const mutations = fs
  .readdirSync(folder)
  .filter((name) => name.endsWith('.patch'))
  .toSorted()
  .filter((name) => words.length === 0 || words.some((word) => name.includes(word)))
  .map(read)
const problems: string[] = []

/** Whether it passes without a fault: a test that fails anyway would prove nothing. */
const sound = new Map<string, boolean>()
function isSound(test: string): boolean {
  const known = sound.get(test)
  if (known !== undefined) return known
  const { tests, files } = failedOf(test)
  const passes = tests.length + files.length === 0
  if (!passes) problems.push(`${test} fails without any fault`)
  sound.set(test, passes)
  return passes
}

function plant({ name, patch, what, tests }: Mutation): void {
  const kept = tests.filter(isSound)
  if (!apply(patch)) {
    problems.push(`${name} no longer applies`)
    return
  }
  for (const test of kept) {
    const noticed = failedOf(test).tests.length
    if (noticed === 0) problems.push(`${name} is not noticed by ${test}`)
    console.log(`${noticed > 0 ? 'ok    ' : 'FAILED'} ${name}: ${what}\n         ${noticed} tests failed of ${test}`)
  }
  if (!apply(patch, '--reverse')) throw new Error(`${name} cannot be taken back`)
}

makeCopy()
try {
  for (const mutation of mutations) plant(mutation)
} finally {
  fs.rmSync(copy, { recursive: true, force: true })
}
for (const problem of problems) console.log(`FAILED ${problem}`)
console.log(`\n${mutations.length} faults, ${problems.length} problems`)
process.exit(problems.length === 0 && mutations.length > 0 ? 0 : 1)
