import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import * as path from 'node:path'
import * as z from 'zod/mini'
import { bareEnvironment } from '@ghanti/server/testing/processes/own-process.ts'
import { within } from '../bench.ts'

const startMs = 30_000
const replyMs = 10_000
const endMs = 20_000

/** Since they were last asked for. */
const EngineFigures = z.object({
  claimsMs: z.array(z.number()),
  ticksMs: z.array(z.number()),
  up: z.number(),
  lateMs: z.object({ p95: z.number(), max: z.number() }),
  memoryMb: z.number(),
  /** Names of its statements by their shape (bench/dispatch/saturation.ts). */
  names: z.array(z.tuple([z.string(), z.string()])),
})
export type EngineFigures = z.output<typeof EngineFigures>

export type ScaleEngine = { name: string; pid: number; figures(): Promise<EngineFigures>; stop(): Promise<void> }

function started(script: string, args: readonly string[]): ChildProcess {
  const file = path.join(import.meta.dirname, script)
  return fork(file, args, { env: { ...bareEnvironment }, execArgv: ['--max-semi-space-size=64'] })
}

export async function startScaleEngine(of: {
  name: string
  database: string
  folder: string
  settleMs: number
}): Promise<ScaleEngine> {
  const { name, database, folder, settleMs } = of
  const args = ['--name', name, '--database', database, '--folder', folder, '--settle', String(settleMs)]
  const child = started('engine.ts', args)
  const ended = once(child, 'exit')
  const ask = async (what: 'ready' | 'figures'): Promise<EngineFigures> => {
    const reply = once(child, 'message')
    child.send(what)
    const [message] = await within(replyMs, `the figures of engine ${name}`, reply)
    return EngineFigures.parse(message)
  }
  await within(
    startMs,
    `the start of engine ${name}`,
    Promise.race([
      ask('ready'),
      ended.then(() => {
        throw new Error(`engine ${name} ended as it started`)
      }),
    ]),
  )
  return {
    name,
    pid: child.pid ?? 0,
    figures: () => ask('figures'),
    async stop() {
      child.kill('SIGTERM')
      await within(endMs, `the end of engine ${name}`, ended).catch(() => child.kill('SIGKILL'))
    },
  }
}

export type ScaleNetwork = { pid: number; ports: number[]; stop(): Promise<void> }

export async function startScaleNetwork(of: { dialers: number; speed: number; folder: string }): Promise<ScaleNetwork> {
  const args = ['--dialers', String(of.dialers), '--speed', String(of.speed), '--folder', of.folder]
  const child = started('network.ts', args)
  const [ports] = await within(startMs, 'the start of the simulated dialers', once(child, 'message'))
  const ended = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    ports: z.parse(z.array(z.number()), ports),
    async stop() {
      if (child.connected) child.disconnect()
      await within(endMs, 'the end of the simulated dialers', ended).catch(() => child.kill('SIGKILL'))
    },
  }
}
