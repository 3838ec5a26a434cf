import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineOrder } from '../../../testing/processes/engine-process.ts'
import { Proxy } from '../../../testing/proxy.ts'
import { spawnEngine, type EngineProcess } from '../crash.ts'

type Moment = { what: string; nth: number }

/** An engine's name, its process, and the network between it and the database. */
type Seat = { name: string; proxy: Proxy; process: EngineProcess }

type Order = Omit<EngineOrder, 'engineId' | 'databaseUrl' | 'killAt'>

/** Engines in processes of their own, each behind a network of its own to the database; one more has loaded everything and waits. */
export class KillableEngines {
  readonly #order: Order
  readonly #databaseUrl: string
  readonly #seats: Seat[] = []
  readonly #all: EngineProcess[] = []
  #next: Promise<EngineProcess>
  #moment: Moment | null = null
  #onMoment: ((seat: Seat) => void) | null = null

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
    this.#seats.push(await this.#seated(name, proxy))
  }

  async #seated(name: string, proxy: Proxy): Promise<Seat> {
    const process = await this.#next
    this.#next = this.#spawn()
    const seat = { name, proxy, process }
    process.onMoment(() => this.#onMoment?.(seat))
    const databaseUrl = Object.assign(new URL(this.#databaseUrl), { port: String(proxy.port) }).href
    process.begin({ ...this.#order, engineId: name, databaseUrl, killAt: null })
    if (this.#moment) process.arm(this.#moment)
    return seat
  }

  /** One of them stands still at this moment, whichever comes to it first; `then` says which. Others go on. */
  arm(moment: Moment, then: (name: string) => void): void {
    let told = false
    this.#onMoment = ({ process, name }) => {
      const isFirst = !told
      told = true
      void standing(process.pid).then(() => (isFirst ? then(name) : process.signal('SIGCONT')))
    }
    this.#armAll(moment)
  }

  disarm(): void {
    this.#armAll(null)
  }

  #armAll(moment: Moment | null): void {
    this.#moment = moment
    for (const { process } of this.#seats) process.arm(moment)
  }

  #seat(name: string): Seat {
    const seat = this.#seats.find((one) => one.name === name)
    if (!seat) throw new Error(`no engine ${name}`)
    return seat
  }

  proxyOf(name: string): Proxy {
    return this.#seat(name).proxy
  }

  goOn(name: string): void {
    this.#seat(name).process.signal('SIGCONT')
  }

  kill(name: string): Promise<void> {
    return this.#seat(name).process.kill()
  }

  /** The engine hands over its dialers and shuts down. */
  askToStop(name: string): void {
    this.#seat(name).process.signal('SIGTERM')
  }

  /** Those that have ended are started again, with the same names. */
  async restart(): Promise<void> {
    for (const [at, { name, proxy, process }] of this.#seats.entries())
      if (process.died !== null) this.#seats[at] = await this.#seated(name, proxy)
  }

  async end(): Promise<void> {
    await this.#next
    for (const one of this.#all) await one.kill()
    for (const { proxy } of this.#seats) await proxy.close()
  }
}

/** Resolves when the process, which has said that it is about to, stands still: before that it could not be told to go on. */
async function standing(pid: number): Promise<void> {
  while (/\) (\w)/.exec(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') T'))?.[1] !== 'T') await sleep(1)
}
