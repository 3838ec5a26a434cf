/**
 * `npm run dev`: the server, restarted when its code changes, and the console with hot reload from Vite's development server, which
 * forwards API calls to it. PORT and CONSOLE_PORT set the ports; arguments go to the server (`npm run dev -- --asterisk`). Ctrl+C ends
 * both.
 *
 * Does not use `node --watch`, which sends messages of its own through the server's worker threads.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const consolePort = process.env['CONSOLE_PORT'] ?? '5173'
const address = `http://127.0.0.1:${consolePort}`
/** Editors write a file in several steps, and a checkout writes many files. */
const quietMs = 300

const run = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, PUBLIC_URL: process.env['PUBLIC_URL'] ?? address }, // links in mails lead to the console
    stdio: 'inherit',
    detached: true, // Ctrl+C reaches only this process, which ends both
  })
const startServer = (): ChildProcess =>
  run(['--max-semi-space-size=64', 'server/src/main.ts', '--no-console', ...process.argv.slice(2)])

let server = startServer()
let restarting = false
let quiet: NodeJS.Timeout | undefined

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null
const stop = async (child: ChildProcess): Promise<void> => {
  if (!isRunning(child)) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function restart(): Promise<void> {
  if (restarting) return void changed()
  restarting = true
  console.log('the code has changed: restarting the server ...')
  await stop(server)
  server = startServer()
  restarting = false
}

function changed(): void {
  clearTimeout(quiet)
  quiet = setTimeout(() => void restart(), quietMs)
}

for (const folder of ['server/src', 'contract/src', 'callflow/src'])
  fs.watch(path.join(root, folder), { recursive: true }, (_event, file) => {
    if (file?.endsWith('.ts') && !file.endsWith('.test.ts')) changed()
  })

console.log(`The console with hot reload is at ${address} as soon as the server below has started`)
const vite = run([
  'node_modules/vite/bin/vite.js',
  'web',
  '--port',
  consolePort,
  '--strictPort',
  '--clearScreen',
  'false',
])
let ending = false
const end = async (code: number): Promise<void> => {
  if (ending) return
  ending = true
  clearTimeout(quiet)
  await Promise.all([stop(server), stop(vite)])
  process.exit(code)
}
vite.once('exit', (code) => void end(code ?? 1)) // without the console's port there is nothing to develop
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(0))
