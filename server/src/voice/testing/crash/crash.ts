import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endWithUs } from '../../../testing/cleanup.ts'
import type { EngineOrder } from '../../../testing/processes/engine-process.ts'

export type EngineProcess<Order = EngineOrder> = {
  readonly pid: number
  /** Once: from here on it dials, or sends. */
  begin(order: Order): void
  /** It says so and stands still when this happens for the nth time from now on; null: it goes on. */
  arm(moment: { what: string; nth: number } | null): void
  /** Calls it when the process stands still. */
  onMoment(listener: () => void): void
  /** What ended it: a signal, or its exit code; null while it lives. */
  readonly died: NodeJS.Signals | number | null
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
}

/** An engine as a process of its own that has loaded everything and waits for its order. */
export async function spawnEngine<Order = EngineOrder>(
  file:
    | 'engine-process.ts'
    | 'sms-engine-process.ts'
    | 'after-call-process.ts'
    | 'hook-process.ts'
    | 'archive-process.ts'
    | 'summary-mail-process.ts' = 'engine-process.ts',
): Promise<EngineProcess<Order>> {
  const script = fileURLToPath(new URL(`../../../testing/processes/${file}`, import.meta.url))
  const child = endWithUs(spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] }))
  child.stdin.on('error', () => {}) // it may be dead already: `died` says so
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), ended.then(([code]) => [`exit code ${code}`])])
  if (line !== 'ready') throw new Error(`an engine process ended with ${line} before it was ready`)
  const send = (what: unknown): void => void child.stdin.write(`${JSON.stringify(what)}\n`)
  return {
    pid: child.pid ?? 0,
    get died() {
      return child.signalCode ?? child.exitCode
    },
    begin: send,
    arm: send,
    onMoment: (listener) => void lines.on('line', listener),
    signal: (name) => void child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A channel by the dialer's own record. */
export type Witnessed = {
  number: string
  trunk: string
  cli: string
  starts: number
  startedAt: number
  answeredAt: number | null
  endedAt: number | null
}

/** The simulator's record, read by nobody's code but this. It is forgotten by and by: what was seen once stays. */
export class Witness {
  readonly channels = new Map<string, Witnessed>()
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  read(): void {
    const seen = new Map<string, Witnessed>()
    for (const path of [`${this.#path}.older`, this.#path])
      if (existsSync(path)) for (const line of readFileSync(path, 'utf8').split('\n')) readLine(line, seen)
    for (const [channelId, channel] of seen) this.channels.set(channelId, channel)
  }
}

function readLine(line: string, seen: Map<string, Witnessed>): void {
  const [event, at, channelId = ''] = line.split(',', 3)
  const known = seen.get(channelId)
  if (event === 'CHAN_START') {
    const number = /"number":"\+(\d+)"/.exec(line)?.[1] ?? ''
    const [, trunk = '', cli = ''] = /"trunk":"([^"]*)","cli":"([^"]*)"/.exec(line) ?? []
    const startedAt = Number(at)
    seen.set(channelId, {
      number,
      trunk,
      cli,
      starts: (known?.starts ?? 0) + 1,
      startedAt,
      answeredAt: null,
      endedAt: null,
    })
  } else if (event === 'ANSWER' && known) known.answeredAt = Number(at)
  else if (event === 'HANGUP' && known) known.endedAt = Number(at)
}
