import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineOrder } from '../../../testing/processes/engine-process.ts'
import { Proxy } from '../../../testing/proxy.ts'
import { spawnEngine, type EngineProcess } from '../crash/crash.ts'

type Moment = { what: string; nth: number }

/** An engine's name, its process, and the network between it and the database. */
type Slot = { name: string; proxy: Proxy; process: EngineProcess }

type Order = Omit<EngineOrder, 'engineId' | 'databaseUrl' | 'killAt'>

/** Engines in processes of their own, each behind a network of its own to the database; one more has loaded everything and waits. */
export class KillableEngines {
  readonly #order: Order
  readonly #databaseUrl: string
  readonly #slots: Slot[] = []
  readonly #all: EngineProcess[] = []
  #next: Promise<EngineProcess>
  #moment: Moment | null = null
  #onMoment: ((slot: Slot) => void) | null = null

  constructor(databaseUrl: string, order: Order) {
    this.#databaseUrl = databaseUrl
    this.#order = order
    this.#next = this.#spawn()
  }

  async #spawn(): Promise<EngineProcess> {
    const one = await spawnEngine()
    this.#all.push(one)
    return one
  }

  async begin(name: string): Promise<void> {
    const { hostname, port } = new URL(this.#databaseUrl)
    const proxy = await Proxy.to({ host: hostname, port: Number(port) })
    this.#slots.push(await this.#started(name, proxy))
  }

  async #started(name: string, proxy: Proxy): Promise<Slot> {
    const process = await this.#next
    this.#next = this.#spawn()
    const slot = { name, proxy, process }
    process.onMoment(() => this.#onMoment?.(slot))
    const databaseUrl = Object.assign(new URL(this.#databaseUrl), { port: String(proxy.port) }).href
    process.begin({ ...this.#order, engineId: name, databaseUrl, killAt: null })
    if (this.#moment) process.arm(this.#moment)
    return slot
  }

  /** One of them stands still at this moment, whichever comes to it first; `then` says which. Others go on. */
  arm(moment: Moment, then: (name: string) => void): void {
    let fired = false
    this.#onMoment = ({ process, name }) => {
      const isFirst = !fired
      fired = true
      void untilStopped(process.pid).then(() => (isFirst ? then(name) : process.signal('SIGCONT')))
    }
    this.#armAll(moment)
  }

  disarm(): void {
    this.#armAll(null)
  }

  #armAll(moment: Moment | null): void {
    this.#moment = moment
    for (const { process } of this.#slots) process.arm(moment)
  }

  #slot(name: string): Slot {
    const slot = this.#slots.find((one) => one.name === name)
    if (!slot) throw new Error(`no engine ${name}`)
    return slot
  }

  proxyOf(name: string): Proxy {
    return this.#slot(name).proxy
  }

  resume(name: string): void {
    this.#slot(name).process.signal('SIGCONT')
  }

  kill(name: string): Promise<void> {
    return this.#slot(name).process.kill()
  }

  /** The engine hands over its dialers and shuts down. */
  askToStop(name: string): void {
    this.#slot(name).process.signal('SIGTERM')
  }

  /** Those that have ended are started again, with the same names. */
  async restart(): Promise<void> {
    for (const [at, { name, proxy, process }] of this.#slots.entries())
      if (process.died !== null) this.#slots[at] = await this.#started(name, proxy)
  }

  async end(): Promise<void> {
    await this.#next
    for (const one of this.#all) await one.kill()
    for (const { proxy } of this.#slots) await proxy.close()
  }
}

/** Resolves when the process, which has said that it is about to, stands still: before that it could not be resumed. */
async function untilStopped(pid: number): Promise<void> {
  while (/\) (\w)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') T'))?.[1] !== 'T') await sleep(1)
}
