/**
 * What CI runs: `npm test`. With `--all`, as `npm run test:all` has it, also the tests that are marked as exhaustive (tiers.ts). Steps that mostly wait
 * run beside the others and are printed when they end. Every step runs, whatever failed before. Ends with the test runner's own closing lines, and
 * exits with 1 when anything failed. `npm test -- types` runs only the named steps. `npm test -- --times` prints the CPU seconds of steps and test files.
 * - When only a few test files failed while four lanes used the machine, they run once more when it is quiet. If they pass then, the run passes,
 * and the last lines name them: a fault of the test or of the product that shows under load and needs mending.
 */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { temporaryFolder } from '../server/src/testing/memory.ts'
import { requireChromium } from './chromium.ts'
import { secondsOfEnded } from './cpu.ts'
import { readReport, type Failed, type Summary } from './reports.ts'
import { exhaustive, exhaustiveFiles } from './tiers.ts'
import { readTimes, timesFolder, type FileTime } from './times-reporter.ts'

const root = path.resolve(import.meta.dirname, '..')
const cache = path.join(root, 'node_modules/.cache')
const bin = (name: string): string => path.join(root, 'node_modules/.bin', name)
const node = process.execPath
const temporary = temporaryFolder()
process.on('exit', temporary.remove)
// The tools' own launchers start with `#!/usr/bin/env node`: they get this Node too.
const env = {
  ...process.env,
  PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`,
  NO_COLOR: '1',
  TMPDIR: temporary.folder,
  // Hundreds of processes load the same modules: they are compiled, and their types stripped, once.
  NODE_COMPILE_CACHE: path.join(cache, 'compiled'),
  // For tsc, a Go program: a third of its CPU went into collecting garbage, of a heap that reaches 2.7 GB without.
  GOGC: 'off',
  GOMEMLIMIT: '3GiB',
}

// Everybody else on the machine comes first, and the processes that read files run at this priority: beside tests at a higher one they would starve.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL)

/** A third of the processor's time beside a process of the lane of calls, where both want it. */
const belowCalls = 15

const all = process.argv.includes('--all')
const withTimes = process.argv.includes('--times')
const leftOut = all ? [] : exhaustiveFiles(root)
const tier = all ? [] : ['--tags-filter', `!${exhaustive}`, ...leftOut.flatMap((file) => ['--exclude', file])]

type Step = {
  name: string
  command: [string, ...string[]]
  /** Test files, when they are not all of the command's. */
  files?: string[]
  /**
   * 'first': what others need. The rest runs in four lanes beside each other: 'calls' waits for calls more than it works, 'browser' and
   * 'pages' for pages; 'work' begins with the checks, several at once.
   */
  lane: 'first' | 'check' | 'work' | 'calls' | 'browser' | 'pages'
}
const telephonyBenches = 'telephony/benches.test.ts'
const screens = 'screens.test.ts'
/** They wait for a minute to pass, for mails or a dialer, or change accounts and caller IDs: on a server of their own, beside the others. */
const apart = ['downloads', 'summary-mails', 'users', 'lines', 'clis'].map((name) => `${name}.test.ts`)
/** Campaigns and what they are made of, and what people do in their jobs, on another server of their own: so both lanes of pages take the same time. */
const sending = [
  'compose',
  'voice-files',
  'contact-files',
  'call-now',
  'jobs-manager',
  'jobs-operator',
  'jobs-operator-lines',
  'jobs-reseller',
  'jobs-reseller-care',
].map((name) => `${name}.test.ts`)
const without = (files: string[]): string[] => files.flatMap((file) => ['--exclude', `**/${file}`])
/** Remembers what it found of each file: the next run checks those that changed, and those that these changes reach. */
function typesOf(name: string, project: string): Step {
  const build = [
    '--incremental',
    '--tsBuildInfoFile',
    path.join(cache, `types/${path.parse(project).name}.tsbuildinfo`),
  ]
  return { name, command: [bin('tsc'), '--noEmit', '-p', project, '--singleThreaded', ...build], lane: 'check' }
}
const allSteps: Step[] = [
  { name: 'build', command: [bin('vite'), 'build', 'web'], lane: 'first' },
  { name: 'size', command: [node, 'web/scripts/size.ts'], lane: 'first' },
  { name: 'format', command: [bin('oxfmt'), '--check', '.'], lane: 'check' },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings'], lane: 'check' },
  typesOf('types', 'tsconfig.json'),
  // Alone: what browsers have is there in web only, what Node has in server only. Of values the linter knows that, too.
  ...(all ? ['contract', 'callflow', 'server', 'web'] : []).map((name) => typesOf(`types of ${name}`, name)),
  { name: 'unused', command: [bin('knip')], lane: 'check' },
  { name: 'tables', command: [node, 'scripts/tables.ts', '--verify'], lane: 'check' },
  // Three at a time: each waits for a second that must pass, or for PostgreSQL, a third of its time.
  {
    name: 'tests',
    command: [
      bin('vitest'),
      'run',
      '--project',
      '!e2e',
      '--project',
      '!telephony',
      '--project',
      '!engine',
      '--project',
      '!web',
      '--maxWorkers',
      '3',
    ],
    lane: 'work',
  },
  // Four at a time: they wait for calls far more than they work, and with five some hear theirs too late.
  {
    name: 'calls',
    command: [
      bin('vitest'),
      'run',
      '--project',
      'telephony',
      '--project',
      'engine',
      '--maxWorkers',
      '4',
      '--exclude',
      telephonyBenches,
    ],
    lane: 'calls',
  },
  // Not beside those that count what each call became: a bench takes all of the machine that it can get.
  {
    name: 'lines',
    command: [bin('vitest'), 'run', '--project', 'telephony'],
    files: [telephonyBenches],
    lane: 'calls',
  },
  { name: 'web', command: [bin('vitest'), 'run', '--project', 'web'], lane: 'pages' },
  {
    name: 'apart',
    command: [bin('vitest'), 'run', '--project', 'e2e'],
    files: apart.map((file) => `web/e2e/${file}`),
    lane: 'pages',
  },
  {
    name: 'sending',
    command: [bin('vitest'), 'run', '--project', 'e2e'],
    files: sending.map((file) => `web/e2e/${file}`),
    lane: 'pages',
  },
  {
    name: 'e2e',
    command: [bin('vitest'), 'run', '--project', 'e2e', ...without([screens, ...apart, ...sending])],
    lane: 'browser',
  },
  // On a server of their own, where lists have few rows, and last: four browsers at once use what the other lanes leave when they end.
  {
    name: 'screens',
    command: [bin('vitest'), 'run', '--project', 'e2e', `web/e2e/${screens}`],
    lane: all ? 'browser' : 'pages', // with the other steps of pages left out, both lanes take the same time so
  },
]
const isLeftOut = ({ files }: Step): boolean => files?.every((file) => leftOut.includes(path.join(root, file))) ?? false
const steps = allSteps.filter((step) => !isLeftOut(step))

const checksAtOnce = 2

/** More files than these fail for a reason, not for want of time. */
const secondTries = 8
const reportOf = (name: string): string => path.join(cache, `test-reports/${name}.json`)

type Outcome = {
  step: Step
  ok: boolean
  seconds: number
  tail: string[]
  /** The last lines of its output, for a step that failed. */
  last: string[]
  /** All that failed passed when it ran again alone. */
  mended?: boolean
  /** CPU seconds of all its processes, and those of each test file. */
  cpu: number
  times: FileTime[]
} & Summary

/** Test files that ended, of each step that runs; and the steps that ended. */
const filesDone = new Map<string, number>()
const stepsDone: string[] = []

/** CPU seconds of the steps that have ended. */
let counted = 0

/** Shows the output as it comes, or all of it at the end, and keeps the runner's closing lines. */
async function run(step: Step, { live }: { live: boolean }): Promise<Outcome> {
  const { name, lane, command, files = [] } = step
  const [program, ...given] = command
  const tests = program === bin('vitest')
  const args = tests
    ? [...given, ...files, ...tier, '--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(name)}`]
    : given
  const times = tests && withTimes ? fs.mkdtempSync(path.join(temporary.folder, 'times-')) : null
  if (times) args.push('--reporter=./scripts/times-reporter.ts')
  const title = `\n── ${name}`
  const kept: string[] = []
  const say = (line: string): void => {
    kept.push(line)
    if (/^ [✓❯] /.test(line)) filesDone.set(name, (filesDone.get(name) ?? 0) + 1)
    if (live) console.log(line)
  }
  if (live) console.log(title)
  filesDone.set(name, 0)
  const began = performance.now()
  const child = spawn(program, args, {
    cwd: root,
    env: times ? { ...env, [timesFolder]: times } : env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let cpu = 0
  child.once('exit', () => {
    const ended = secondsOfEnded()
    cpu = ended - counted
    counted = ended
  })
  // Calls that are heard too late are other calls: what only takes longer gives way to them.
  if (child.pid !== undefined && lane !== 'calls' && lane !== 'first') os.setPriority(child.pid, belowCalls)
  const tail: string[] = []
  const show = async (stream: Readable): Promise<void> => {
    for await (const line of createInterface({ input: stream })) {
      say(line)
      if (/^\s*(Test Files|Tests|Errors|Start at|Duration)\s/.test(line)) tail.push(line)
    }
  }
  const shown = Promise.all([show(child.stdout), show(child.stderr)])
  const code = await new Promise<number | null>((ended) => {
    child.once('close', ended)
    child.once('error', (error) => (say(String(error)), ended(null)))
  })
  await shown
  if (!live) console.log([title, ...kept].join('\n'))
  filesDone.delete(name)
  stepsDone.push(name)
  const seconds = (performance.now() - began) / 1000
  const summary = tests ? readReport(reportOf(name)) : { failed: [], files: [] }
  const ofFiles = times ? readTimes(times) : []
  // A browser is waited for by nobody: it is in the files' only.
  const cpuSeconds = Math.max(
    cpu,
    ofFiles.reduce((sum, file) => sum + file.seconds, 0),
  )
  return { step, ok: code === 0, seconds, tail, last: kept.slice(-20), cpu: cpuSeconds, times: ofFiles, ...summary }
}

const wanted = process.argv.slice(2).filter((word) => !['--all', '--times'].includes(word))
const unknown = wanted.filter((word) => !steps.some(({ name }) => name === word))
if (unknown.length > 0) {
  console.error(`there is no step ${unknown.join(', ')}; the steps are: ${steps.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (chosen.some(({ name }) => ['tests', 'web', 'apart', 'sending', 'e2e', 'screens'].includes(name))) {
  try {
    requireChromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

const inTurn = async (these: Step[], live: boolean): Promise<Outcome[]> => {
  const ended: Outcome[] = []
  for (let step = these.shift(); step; step = these.shift()) ended.push(await run(step, { live }))
  return ended
}
const order = ({ step }: Outcome): number => steps.findIndex(({ name }) => step.name.startsWith(name))
const laneOf = (lane: Step['lane']): Step[] => chosen.filter((step) => step.lane === lane)
const checksThenWork = async (): Promise<Outcome[]> => {
  const checks = laneOf('check')
  const checked = await Promise.all(Array.from({ length: checksAtOnce }, () => inTurn(checks, false)))
  return [...checked.flat(), ...(await inTurn(laneOf('work'), true))]
}
/** Runs again, alone, what failed in a few files. An outcome whose files all pass then is ok. */
async function tryAgain(ended: Outcome[]): Promise<Outcome[]> {
  // An error outside the tests belongs to no file: there is nothing to run again.
  const again = ended.filter(
    ({ ok, failed, tail }) => !ok && failed.length > 0 && !tail.some((line) => /^\s*Errors\s/.test(line)),
  )
  if (again.flatMap(({ failed }) => failed).length > secondTries) return ended
  const tried = new Map<Outcome, Outcome>()
  for (const outcome of again) {
    const { step, failed } = outcome
    const files = failed.map(({ file }) => path.relative(root, file))
    const second = { ...step, name: `${step.name}, second try`, files } satisfies Step
    tried.set(outcome, await run(second, { live: true }))
  }
  return ended.flatMap((outcome) => {
    const second = tried.get(outcome)
    return second ? [{ ...outcome, ok: second.ok, mended: second.ok }, second] : [outcome]
  })
}

/** Seconds of all processors together, since the machine began. */
function processors(): { busy: number; all: number } {
  const spent = os.cpus().map(({ times }) => times)
  const sum = (of: (times: (typeof spent)[number]) => number) => spent.reduce((total, one) => total + of(one), 0) / 1000
  const all = sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq)
  return { busy: all - sum(({ idle }) => idle), all }
}

function sayProgress(): void {
  const running = [...filesDone].map(([name, files]) => (files > 0 ? `${name} (${files} files)` : name))
  const left = chosen.filter(({ name }) => !filesDone.has(name) && !stepsDone.includes(name)).map(({ name }) => name)
  const minutes = Math.round(process.uptime() / 60)
  console.log(
    `\n${minutes} min: ${stepsDone.length} steps done; running ${running.join(', ')}; left ${left.join(', ') || 'none'}\n`,
  )
}
const progress = setInterval(sayProgress, 60_000)

const before = processors()
const first = await inTurn(laneOf('first'), true)
const waiting = (['calls', 'browser', 'pages'] as const).map((lane) => inTurn(laneOf(lane), false))
const lanes = [checksThenWork(), ...waiting]
const ended = await tryAgain([...first, ...(await Promise.all(lanes)).flat()])
clearInterval(progress)
const outcomes = ended.toSorted((a, b) => order(a) - order(b))
console.log('')
for (const { step, ok, seconds, cpu } of outcomes)
  console.log(
    `${ok ? 'ok    ' : 'FAILED'} ${step.name.padEnd(9)} ${seconds.toFixed(1)} s${withTimes ? `, ${cpu.toFixed(1)} s of CPU` : ''}`,
  )
const after = processors()
const [busy, wall] = [after.busy - before.busy, after.all - before.all]
console.log(`\nthe processors were busy for ${busy.toFixed(0)} of ${wall.toFixed(0)} s`)
const slowest = outcomes.flatMap(({ files }) => files).toSorted((a, b) => b.seconds - a.seconds)
console.log('\nthe slowest files:')
for (const { file, seconds } of slowest.slice(0, 10))
  console.log(`${String(seconds).padStart(5)} s  ${path.relative(root, file)}`)
const costs = outcomes.flatMap(({ times }) => times).toSorted((a, b) => b.seconds - a.seconds)
if (withTimes) console.log('\nCPU seconds of each test file:')
for (const { file, seconds } of costs) console.log(`${seconds.toFixed(1).padStart(6)} s  ${path.relative(root, file)}`)
for (const { step, tail } of outcomes) if (tail.length > 0) console.log(`\n${step.name}\n${tail.join('\n')}`)
const count = (what: string): number =>
  outcomes
    .flatMap(({ tail, mended }) => (mended && what === 'failed' ? [] : tail.filter((line) => /^\s*Tests\s/.test(line))))
    .flatMap((line) => [...line.matchAll(new RegExp(`(\\d+) ${what}`, 'g'))])
    .reduce((sum, [, n]) => sum + Number(n), 0)
function sayFailed(what: string, { file, tests, why }: Failed): void {
  const name = path.relative(root, file)
  console.log(`\n${what} ${name}: ${tests.join('; ')}\n  ${why.join('\n  ')}`)
  for (const test of tests.slice(0, 3)) console.log(`  again: npx vitest run ${name} -t ${JSON.stringify(test)}`)
}
for (const one of outcomes.flatMap(({ mended, failed }) => (mended ? failed : [])))
  sayFailed('passed only on the second try, alone:', one)
// Last, where a cut-off log still shows it: a step without tests that failed is in no count.
for (const { step, last } of outcomes.filter(({ ok }) => !ok)) console.log(`\nFAILED ${step.name}\n${last.join('\n')}`)
for (const one of outcomes.flatMap(({ ok, failed }) => (ok ? [] : failed))) sayFailed('FAILED', one)
console.log(`\n${count('passed')} passed, ${count('failed')} failed`)
process.exit(outcomes.every(({ ok }) => ok) ? 0 : 1)
