import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const sources = [
  'web/src',
  'web/public',
  'web/build',
  'web/index.html',
  'web/vite.config.ts',
  'contract/src',
  'callflow/src',
  'package-lock.json',
]

function newest(target: string): number {
  const stat = fs.statSync(target, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...fs.readdirSync(target).map((name) => newest(path.join(target, name))))
}

/** Builds the console when it was never built or its sources are newer. Takes some seconds; throws with Vite's output when it fails. */
export function buildConsoleIfStale(say: (line: string) => void): void {
  const built = fs.statSync(path.join(root, 'web/dist/preloads.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0 // written last
  if (built >= Math.max(...sources.map((source) => newest(path.join(root, source))))) return
  say('building the console ...')
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web'], {
    cwd: root,
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(`the console cannot be built\n${result.stdout}${result.stderr}`)
}
