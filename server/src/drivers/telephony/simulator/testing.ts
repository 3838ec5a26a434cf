import { plainSipOptions } from '@ghanti/contract/sip-options.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { endWithUs } from '../../../testing/cleanup.ts'
import type { DialerAddress, Media, Trunk } from '../driver.ts'
import type { SimulatorControl } from './simulator.ts'

export const simulatedTrunk: Trunk = {
  name: 'operator',
  host: '127.0.0.1',
  port: 5060,
  transport: 'udp',
  user: '',
  secret: '',
  codecs: ['ulaw'],
  registers: false,
  cliFormat: 'national',
  cliHeader: 'auto',
  numberStrip: '',
  numberPrefix: '',
  options: plainSipOptions,
}

/** Silent once its fault is set. */
export const silentTrunk: Trunk = {
  ...simulatedTrunk,
  name: 'silent',
  options: { ...plainSipOptions, sendsOptions: false },
}

/** Its first host refuses once that has its fault. */
export const twoHostsTrunk: Trunk = {
  ...simulatedTrunk,
  name: 'two hosts',
  options: { ...plainSipOptions, sendsOptions: false, hosts: ['127.0.0.1:5061'] },
}

export async function breakTrunks(control: Pick<SimulatorControl, 'setTrunkFault'>): Promise<void> {
  await control.setTrunkFault(silentTrunk.name, 'silent')
  await control.setTrunkFault(twoHostsTrunk.name, 'refusing', `${twoHostsTrunk.host}:${twoHostsTrunk.port}`)
}

/** Where a simulated dialer would find sounds; it plays none. */
export function simulatedDialer(port = 8088): DialerAddress {
  return { host: '127.0.0.1', port, user: '', secret: '', certificate: null, media: { folder: '/nowhere' } }
}

/** A simulated sound, whose file nobody reads. */
export function sound(hash: string, durationMs: number): Media {
  return { hash, path: `/nowhere/${hash}.wav`, durationMs }
}

export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'ghanti-simulator-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export type SimulatorProcess = {
  dialer: DialerAddress
  signal: (name: NodeJS.Signals) => void
  kill: () => Promise<void>
}

/** A simulator process on a free port or the given one, ready for connections. */
export async function startSimulatorProcess(options: {
  speed: number
  folder: string
  port?: number
  transcripts?: boolean
}): Promise<SimulatorProcess> {
  const script = fileURLToPath(new URL('process.ts', import.meta.url))
  const args = ['--port', String(options.port ?? 0), '--speed', String(options.speed), '--folder', options.folder]
  if (options.transcripts) args.push('--transcripts')
  const child = endWithUs(spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }))
  const exited = once(child, 'exit')
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const [line] = await Promise.race([ready, exited.then(([code]) => [`ended with ${code}`])])
  const port = /:(\d+), speed/.exec(String(line))?.[1]
  if (!port) throw new Error(`the simulator did not start: ${line}`)
  return {
    dialer: simulatedDialer(Number(port)),
    signal(name) {
      child.kill(name)
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
