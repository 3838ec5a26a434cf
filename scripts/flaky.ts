/**
 * `npm run test:flaky -- FILE`: runs a test file 20 times beside four processes that only burn CPU, and says which tests failed, how often and why. More
 * words go to Vitest (`-t 'part of a name'`). `TIMES=5 BURNERS=2` make it less. Fails when any run did.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'

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
// Neither before the tests nor behind them.
for (const { pid } of burning) if (pid !== undefined) os.setPriority(pid, os.constants.priority.PRIORITY_BELOW_NORMAL)

const linesShown = 120

/** What the test runner says of what failed, with each difference; null when all passed. */
async function runOnce(): Promise<string[] | null> {
  const child = spawn(path.join(root, 'node_modules/.bin/vitest'), ['run', ...words, '--maxWorkers', '1'], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL)
  let said = ''
  child.stdout.on('data', (data) => (said += String(data)))
  child.stderr.on('data', (data) => (said += String(data)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return null
  const lines = said.split('\n')
  const from = lines.findIndex((line) => /⎯ (Failed|Unhandled)/.test(line))
  return from === -1 ? lines.slice(-linesShown) : lines.slice(from, from + linesShown)
}

let bad = 0
for (let n = 1; n <= times; n++) {
  const began = performance.now()
  const failure = await runOnce()
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${failure ? 'FAILED' : 'ok    '} ${n} of ${times}, ${seconds} s`)
  if (failure) console.log(failure.join('\n'))
  if (failure) bad += 1
}
for (const child of burning) child.kill()
console.log(`\n${bad} of ${times} runs failed beside ${burners} burners`)
process.exit(bad === 0 ? 0 : 1)
