/**
 * `npm run test:flaky -- FILE`: runs a test file 20 times beside four processes that only burn CPU, and says which tests failed, how often and why. More
 * words go to Vitest (`-t 'part of a name'`). `TIMES=5 BURNERS=2` make it less. Fails when any run did.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import { readReport } from './reports.ts'

const root = path.resolve(import.meta.dirname, '..')
const words = process.argv.slice(2)
const [times, burners] = [Number(process.env['TIMES'] ?? 20), Number(process.env['BURNERS'] ?? 4)]
if (!words.some((word) => fs.existsSync(path.join(root, word))) || !Number.isInteger(times) || !(burners >= 0)) {
  console.error("usage: [TIMES=20] [BURNERS=4] npm run test:flaky -- FILE [-t 'part of a name']")
  process.exit(1)
}

/** Ends with this process, however that ends: its input is closed then. */
const burn =
  "process.stdin.resume().on('end', () => process.exit()); const on = () => { for (const until = performance.now() + 50; performance.now() < until;); setImmediate(on) }; on()"
const burning = Array.from({ length: burners }, () =>
  spawn(process.execPath, ['-e', burn], { stdio: ['pipe', 'ignore', 'ignore'] }),
)
// As `npm test` has it: burners come before tests there, as people's own work does here.
for (const { pid } of burning) if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL)

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-flaky-'))
const report = path.join(folder, 'report.json')

/** What failed, with the reason; empty when all passed. */
async function runOnce(): Promise<string[]> {
  const args = ['run', ...words, '--maxWorkers', '1', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(path.join(root, 'node_modules/.bin/vitest'), args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  let said = ''
  child.stderr.on('data', (data) => (said += String(data)))
  const [code] = (await once(child, 'close')) as [number | null]
  const { failed, files } = readReport(report)
  const whole = said.trim().slice(-500) || `exit code ${code}`
  if (files.length === 0) return [`no file was run: ${whole}`]
  const told = failed.flatMap(({ file, tests, why }) =>
    (tests.length > 0 ? tests : [path.relative(root, file)]).map((test, n) => `${test}: ${why[n] ?? why[0]}`),
  )
  return told.length > 0 || code === 0 ? told : [whole]
}

let bad = 0
for (let n = 1; n <= times; n++) {
  const began = performance.now()
  const failures = await runOnce()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${failures.length > 0 ? 'FAILED' : 'ok    '} ${n} of ${times}, ${seconds} s`)
  for (const failure of failures) console.log(`         ${failure}`)
  if (failures.length > 0) bad += 1
}
for (const child of burning) child.kill()
fs.rmSync(folder, { recursive: true, force: true })
console.log(`\n${bad} of ${times} runs failed beside ${burners} burners`)
process.exit(bad === 0 ? 0 : 1)
