import * as fs from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../db/embedded/pg-local-process.ts'
import { startSimulatorProcess, type SimulatorProcess } from '../../../drivers/telephony/simulator/testing.ts'
import { Proxy } from '../../../testing/proxy.ts'
import { Witness, type Witnessed } from '../crash/crash.ts'

/** `at`, `backAt`: Unix ms. */
export type DialerDeath = { at: number; backAt: number; withRecord: boolean }

/** A channel by its dialer's record. Times of its ends are Unix ms, unlike `answeredAt` and `endedAt`, which follow the network's own ms. */
export type Recorded = Witnessed & {
  channelId: string
  dialerId: number
  /** When it was over, by itself or with its dialer; null: it is up. */
  overAt: number | null
  /** It ended with its dialer. */
  died: boolean
}

/** A simulated dialer in a process of its own, behind a network of its own, that a test kills and starts again. */
export class KillableDialer {
  /** The id of its row. */
  id = 0
  readonly proxy: Proxy
  readonly deaths: DialerDeath[] = []
  readonly #speed: number
  readonly #folder: string
  readonly #record: string
  readonly #witness: Witness
  readonly #diedAt = new Map<string, number>()
  #process: SimulatorProcess

  private constructor(of: { speed: number; folder: string; process: SimulatorProcess; proxy: Proxy }) {
    this.#speed = of.speed
    this.#folder = of.folder
    this.#process = of.process
    this.proxy = of.proxy
    this.#record = join(of.folder, `process-${of.process.dialer.port}.csv`)
    this.#witness = new Witness(this.#record)
  }

  static async start(folder: string, speed: number): Promise<KillableDialer> {
    fs.mkdirSync(folder)
    const process = await startSimulatorProcess({ speed, folder, port: await freePort() })
    return new KillableDialer({ speed, folder, process, proxy: await Proxy.to(process.dialer) })
  }

  /** Without the network in between: for the test's own requests. */
  get address(): { host: string; port: number } {
    return this.#process.dialer
  }

  async kill(withRecord: boolean): Promise<void> {
    const at = Date.now()
    await this.#process.kill()
    this.#witness.read()
    for (const [id, { endedAt }] of this.#witness.channels)
      if (endedAt === null && !this.#diedAt.has(id)) this.#diedAt.set(id, Date.now())
    if (!withRecord) for (const path of [this.#record, `${this.#record}.older`]) fs.rmSync(path, { force: true })
    this.deaths.push({ at, backAt: Infinity, withRecord })
  }

  async restart(): Promise<void> {
    const { port } = this.#process.dialer
    this.#process = await startSimulatorProcess({ speed: this.#speed, folder: this.#folder, port })
    const death = this.deaths.at(-1)
    if (death) death.backAt = Date.now()
  }

  async end(): Promise<void> {
    await this.#process.kill()
    await this.proxy.close()
  }

  /** Whatever its records have said so far: they are trimmed, and go with some of its deaths. */
  channels(): Recorded[] {
    this.#witness.read()
    return [...this.#witness.channels].map(([channelId, channel]) => {
      const { startedAt, endedAt } = channel
      const ended = endedAt === null ? null : startedAt + (endedAt - startedAt) / this.#speed
      const diedAt = endedAt === null ? (this.#diedAt.get(channelId) ?? null) : null
      return { ...channel, channelId, dialerId: this.id, overAt: ended ?? diedAt, died: diedAt !== null }
    })
  }
}
