/**
 * A reporter of Vitest for `npm test -- --times`: the CPU seconds of each test file. What a worker and the processes below it take belongs to the
 * file that it runs. The rest, such as the database's and a browser's that several workers use, is shared equally by the files that run meanwhile.
 */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { secondsOfTrees } from './cpu.ts'

/** The variable that names a folder, in which each worker writes the path of the file that it runs into a file of the name of its process. */
export const timesFolder = 'TEST_TIMES'
const report = 'files.json'

type Seconds = Record<string, number>
export type FileTime = { file: string; seconds: number }

export function readTimes(folder: string): FileTime[] {
  const written = path.join(folder, report)
  const seconds = fs.existsSync(written) ? (JSON.parse(fs.readFileSync(written, 'utf8')) as Seconds) : {}
  return Object.entries(seconds).map(([file, seconds]) => ({ file, seconds }))
}

export default class Times implements Reporter {
  readonly #folder = process.env[timesFolder] ?? ''
  readonly #running = new Set<string>()
  readonly #seconds: Seconds = {}
  readonly #workers = new Map<number, number>()
  #all = 0

  onTestModuleQueued({ moduleId }: TestModule): void {
    this.#share()
    this.#running.add(moduleId)
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    this.#share()
    this.#running.delete(moduleId)
  }

  onTestRunEnd(): void {
    this.#share()
    fs.writeFileSync(path.join(this.#folder, report), JSON.stringify(this.#seconds))
  }

  /** Gives what was taken since the last call to the files that run. */
  #share(): void {
    const pids = fs.readdirSync(this.#folder).map(Number)
    const [all = 0, ...ofWorkers] = secondsOfTrees([process.pid, ...pids])
    let rest = all - this.#all
    this.#all = all
    for (const [at, pid] of pids.entries()) {
      const seconds = ofWorkers[at] ?? 0
      const taken = seconds - (this.#workers.get(pid) ?? 0)
      this.#workers.set(pid, seconds)
      const file = fs.readFileSync(path.join(this.#folder, String(pid)), 'utf8')
      if (taken < 0 || !this.#running.has(file)) continue
      this.#add(file, taken)
      rest -= taken
    }
    for (const file of this.#running) this.#add(file, Math.max(0, rest) / this.#running.size)
  }

  #add(file: string, seconds: number): void {
    this.#seconds[file] = (this.#seconds[file] ?? 0) + seconds
  }
}
