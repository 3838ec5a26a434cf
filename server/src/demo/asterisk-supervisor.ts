/** Keeps the Asterisks of `npm start -- --asterisk` alive: one that was killed is started again, and all end with the server. */
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLocalAsterisk, stopCommand, stopLocalAsterisk, type LocalAsterisk } from './local-asterisk.ts'
import { messageOf } from '../lib/error-code.ts'

const lookEveryMs = 1000
/** Waits between restarts of one that keeps dying. After the last it is left alone. */
const waitsMs = [0, 1000, 2000, 4000, 8000, 16_000]
/** An Asterisk that lived this long does not count as dying repeatedly. */
const provenMs = 60_000
const stopAtExitMs = 20_000

export type AsteriskSupervisor = { stop(): Promise<void> }

/** `asterisk` as it was started in `home`. It restarts at the same addresses. */
export function superviseAsterisk(
  home: string,
  asterisk: LocalAsterisk,
  say: (line: string) => void,
): AsteriskSupervisor {
  const ending = new AbortController()
  const atExit = (code: number): void => {
    if (code !== 0) spawnSync(...stopCommand(home), { stdio: 'ignore', timeout: stopAtExitMs })
  }
  process.once('exit', atExit)
  const kept = keep(home, asterisk, say, ending.signal)
  return {
    async stop() {
      ending.abort()
      await kept
      await stopLocalAsterisk(home, say)
      process.off('exit', atExit)
    },
  }
}

async function keep(home: string, asterisk: LocalAsterisk, say: (line: string) => void, signal: AbortSignal) {
  let starts = 0
  let startedAt = performance.now()
  while (!signal.aborted) {
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined)
    const dead = ['dialer', 'operator'].filter((instance) => !lives(home, instance))
    if (signal.aborted || dead.length === 0) continue
    if (performance.now() - startedAt > provenMs) starts = 0
    const waitMs = waitsMs[starts]
    const who = `Asterisk (${dead.join(', ')}) is not running`
    if (waitMs === undefined) {
      say(`${who} for the ${starts + 1}th time: it is left alone, start the server again`)
      return
    }
    say(`${who}: it is started again${waitMs > 0 ? ` in ${waitMs / 1000} s` : ''}`)
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    starts += 1
    startedAt = performance.now()
    await startLocalAsterisk({ home, freePorts: true, settings: asterisk.ports, say }).catch((error: unknown) =>
      say(`Asterisk could not be started: ${messageOf(error)}`),
    )
  }
}

/** Whether the process of its pid file is this Asterisk. A pid may belong to another process by now, so its command line is checked. */
function lives(home: string, instance: string): boolean {
  try {
    const run = fs.readFileSync(path.join(home, instance, 'run-folder'), 'utf8').trim()
    const pid = fs.readFileSync(path.join(run, 'asterisk.pid'), 'utf8').trim()
    const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return words.includes(path.join(fs.realpathSync(home), instance, 'etc/asterisk.conf'))
  } catch {
    return false
  }
}
