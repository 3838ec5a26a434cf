/** A process asks all servers that its URL names at its start and when it loses the primary, and never returns to a former one (docs/adr/56). */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { messageOf } from '../../lib/error-code.ts'
import { addressOf, serversOf, type Server } from './database-url.ts'
import { identityOf, type Identity } from './identity.ts'

/** A server that is silent for this long counts as gone. */
const answerMs = 3000
/** How long the others may take to say that they know better than the first one that accepts writes. */
const othersMs = 1000
const watchMs = 2000

/** SQLSTATE of a connection that could not be made: nothing was done, and the request may be repeated. */
const noConnection = '08001'
/** SQLSTATE of a connection that was lost: nobody knows what its last statement did. */
const connectionLost = '08006'

/** Rejects, too, when the client is ended while it connects: `connect` alone never settles then. */
async function connected(client: Client): Promise<void> {
  const ended = new Promise<never>((_, reject) => {
    client.once('end', () => reject(new Error('the connection was ended')))
  })
  ended.catch(() => {}) // it ends some time, long after it was connected
  await Promise.race([client.connect(), ended])
}

function away(text: string, code: string): Error {
  return Object.assign(new Error(text), { code })
}

type Answer = { server: Server } & (Identity | { fault: string })

/** A connection that can be cut, whatever it waits for. */
type Cuttable = { cut(reason: Error): void }

export class Servers {
  readonly list: readonly Server[]
  readonly #config: ClientConfig
  #known: Server | null = null
  #searching: Promise<Server> | null = null
  #isWatching = false
  readonly #open = new Map<Cuttable, Server>()
  readonly #asking = new Map<Server, Client>()
  #system: string | null = null
  /** The newest timeline that was seen. A server that is behind it was the primary once. */
  #timeline = 0

  /** All connections of a process (or thread) to one URL share what was found out. */
  static of(databaseUrl: string): Servers {
    const known = all.get(databaseUrl)
    if (known) return known
    const servers = new Servers(databaseUrl)
    all.set(databaseUrl, servers)
    return servers
  }

  private constructor(databaseUrl: string) {
    const named = serversOf(databaseUrl)
    if (!named) throw new Error('the database URL names no servers that can be read')
    this.list = named.servers
    this.#config = {
      connectionString: named.url,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      application_name: 'ghanti-servers',
    }
  }

  /** Where a new connection goes. A single server is not asked before. */
  async primary(): Promise<Server> {
    const [only] = this.list
    if (only && this.list.length === 1) return only
    if (this.#known) return this.#known
    return await this.#search().catch((error: unknown) => {
      throw away(messageOf(error), noConnection) // one for each who asks: pg-boss adds its own words to what it catches
    })
  }

  /** Throws when a server that has just been connected to must not be used. */
  check(server: Server, { system, timeline }: Identity): void {
    const name = addressOf(server)
    this.#system ??= system
    if (system !== this.#system)
      throw away(`${name} belongs to another PostgreSQL cluster: restart this process if that is right`, noConnection)
    if (timeline === null) throw away(`${name} is a standby or accepts no writes`, noConnection)
    if (timeline < this.#timeline)
      throw away(
        `${name} is on timeline ${timeline}, behind ${this.#timeline}: it is no primary any more`,
        noConnection,
      )
    this.#timeline = timeline
  }

  /** Registers a connection, which is cut when another server has become the primary. */
  opened(client: Cuttable, server: Server): void {
    this.#open.set(client, server)
    if (this.list.length > 1 && !this.#isWatching) void this.#watch()
  }

  /** With the last connection, the connections that watch the servers end too, so that nothing keeps the process alive. */
  closed(client: Cuttable): void {
    this.#open.delete(client)
    if (this.#open.size > 0) return
    for (const one of this.#asking.values()) void one.end().catch(() => {})
    this.#asking.clear()
  }

  forgetPrimary(server: Server): void {
    if (this.#known === server) this.#known = null
  }

  #search(): Promise<Server> {
    this.#searching ??= this.#ask().finally(() => (this.#searching = null))
    return this.#searching
  }

  async #ask(): Promise<Server> {
    const answers: Answer[] = []
    const asked = this.list.map(async (server) => void answers.push(await this.#answerOf(server)))
    const found = new Promise<void>((resolve) => {
      for (const one of asked) void one.then(() => answers.some((answer) => this.#isPrimary(answer)) && resolve())
    })
    await Promise.race([Promise.all(asked), found.then(() => sleep(othersMs, undefined, { ref: false }))])
    const [newest] = answers
      .filter((answer) => this.#isPrimary(answer))
      .toSorted((a, b) => timelineOf(b) - timelineOf(a))
    if (!newest)
      throw away(`no server of the database accepts writes: ${answers.map(inWords).join(', ')}`, noConnection)
    this.#known = newest.server
    this.#timeline = timelineOf(newest)
    return newest.server
  }

  #isPrimary(answer: Answer): boolean {
    const isOurs = 'system' in answer && (this.#system === null || answer.system === this.#system)
    return isOurs && timelineOf(answer) >= Math.max(1, this.#timeline)
  }

  async #answerOf(server: Server): Promise<Answer> {
    const kept = this.#asking.get(server)
    const client = kept ?? this.#newClient(server)
    this.#asking.set(server, client)
    try {
      if (!kept) await connected(client)
      return { server, ...(await identityOf(client)) }
    } catch (error) {
      if (this.#asking.get(server) === client) this.#asking.delete(server)
      void client.end().catch(() => {})
      return { server, fault: messageOf(error) }
    }
  }

  #newClient(server: Server): Client {
    const client = new Client({ ...this.#config })
    Object.assign(client, server)
    client.on('error', () => {})
    return client
  }

  /**
   * While connections are open. A machine that is gone says nothing, and a statement that waits for it would wait for a quarter of an hour:
   * once another server is the primary, the connections to the old one are cut.
   */
  async #watch(): Promise<void> {
    this.#isWatching = true
    while (this.#open.size > 0) {
      await sleep(watchMs, undefined, { ref: false })
      const server = this.#open.size > 0 && (await this.#search().catch(() => null))
      if (!server) continue
      for (const [client, of] of this.#open)
        if (of !== server) client.cut(away(`${addressOf(of)} is not the database’s primary any more`, connectionLost))
    }
    this.#isWatching = false
  }
}

const all = new Map<string, Servers>()

const timelineOf = (answer: Answer): number => ('timeline' in answer ? (answer.timeline ?? 0) : 0)

function inWords(answer: Answer): string {
  const what = 'fault' in answer ? answer.fault : answer.timeline === null ? 'a standby' : `timeline ${answer.timeline}`
  return `${addressOf(answer.server)} (${what})`
}
