/**
 * What CI runs, in this order, as far as it gets: `npm test`. Ends with the test runner's own closing lines; exits 1 when anything failed.
 * `npm test -- types` runs the named steps only.
 */
import { spawn } from 'node:child_process'
import * as path from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { requireChromium } from './chromium.ts'

const root = path.resolve(import.meta.dirname, '..')
const bin = (name: string): string => path.join(root, 'node_modules/.bin', name)
const node = process.execPath
// The tools' own launchers start with `#!/usr/bin/env node`: they get this Node too.
const env = {
  ...process.env,
  PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`,
  NO_COLOR: '1',
}

type Step = { name: string; command: [string, ...string[]] }
const steps: Step[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings'] },
  { name: 'types', command: [bin('tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'unused', command: [bin('knip')] },
  { name: 'tables', command: [node, 'scripts/tables.ts', '--verify'] },
  { name: 'tidy', command: [bin('vitest'), 'run', 'scripts/tidy.test.ts'] },
  { name: 'build', command: [bin('vite'), 'build', 'web'] },
  { name: 'size', command: [node, 'web/scripts/size.ts'] },
  {
    name: 'tests',
    command: [
      bin('vitest'),
      'run',
      '--project',
      '!e2e',
      '--project',
      '!telephony',
      '--exclude',
      'scripts/tidy.test.ts',
    ],
  },
  // Three at a time: they wait far more than they work.
  { name: 'telephony', command: [bin('vitest'), 'run', '--project', 'telephony', '--maxWorkers', '3'] },
  { name: 'e2e', command: [bin('vitest'), 'run', '--project', 'e2e'] },
]

type Outcome = { name: string; ok: boolean; seconds: number; tail: string[] }

/** Shows the output as it comes and keeps the runner's closing lines. */
async function run({ name, command: [program, ...args] }: Step): Promise<Outcome> {
  console.log(`\n── ${name}`)
  const began = performance.now()
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const tail: string[] = []
  const show = async (stream: Readable): Promise<void> => {
    for await (const line of createInterface({ input: stream })) {
      console.log(line)
      if (/^\s*(Test Files|Tests|Start at|Duration)\s/.test(line)) tail.push(line)
    }
  }
  const shown = Promise.all([show(child.stdout), show(child.stderr)])
  const code = await new Promise<number | null>((ended) => {
    child.once('close', ended)
    child.once('error', (error) => (console.log(String(error)), ended(null)))
  })
  await shown
  return { name, ok: code === 0, seconds: (performance.now() - began) / 1000, tail }
}

const wanted = process.argv.slice(2)
const chosen = steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (chosen.some(({ name }) => name === 'tests' || name === 'e2e')) {
  try {
    requireChromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
const outcomes: Outcome[] = []
for (const step of chosen) outcomes.push(await run(step))
console.log('')
for (const { name, ok, seconds } of outcomes)
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(9)} ${seconds.toFixed(1)} s`)
for (const { name, tail } of outcomes) if (tail.length > 0) console.log(`\n${name}\n${tail.join('\n')}`)
const ran = outcomes.flatMap(({ tail }) => tail.filter((line) => /^\s*Tests\s/.test(line))).join(' ')
const count = (what: string): number =>
  [...ran.matchAll(new RegExp(`(\\d+) ${what}`, 'g'))].reduce((sum, [, n]) => sum + Number(n), 0)
console.log(`\n${count('passed')} passed, ${count('failed')} failed`)
process.exit(outcomes.every(({ ok }) => ok) ? 0 : 1)
