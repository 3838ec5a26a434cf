import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../../db/embedded/pg-local-process.ts'
import { startPostgres, type LocalPostgres } from '../../../db/embedded/pg-local.ts'
import { startMigrated } from '../../../testing/cluster.ts'
import { signalServer } from '../../../testing/standby.ts'

const settings: Record<string, string> = {
  synchronous_commit: 'on',
  fsync: 'off', // only processes are killed here: what a server has written outlives it
  shared_buffers: '64MB',
}

/** A migrated PostgreSQL of a test's own, which it kills and starts again at the same address. */
export class KillablePostgres {
  readonly #folder: string
  #server: LocalPostgres

  private constructor(folder: string, server: LocalPostgres) {
    this.#folder = folder
    this.#server = server
  }

  static async start(folder: string): Promise<KillablePostgres> {
    return new KillablePostgres(folder, await startMigrated({ folder, settings }))
  }

  get url(): string {
    return this.#server.url()
  }

  get port(): number {
    return this.#server.port
  }

  kill(): void {
    signalServer(this.#server, 'SIGKILL')
  }

  async restart(): Promise<void> {
    while (isAlive(this.#server.pid)) await sleep(10) // a dying server would be taken for a living one
    this.#server = await startPostgres({ folder: this.#folder, settings })
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }
}
