import { Client, type ClientConfig } from 'pg'
import { named } from '../prepared.ts'
import { serversOf, type Server } from './database-url.ts'
import { identityOf } from './identity.ts'
import { Servers } from './servers.ts'

/** How long connecting may take where another server could be tried. */
const connectMs = 5000
const readOnly = '25006'

export type DatabaseClientConfig = ClientConfig & { connectionString: string }

/** A connection to the server that accepts writes, of all that the URL names. It is closed when that server turns out not to accept any. */
export class DatabaseClient extends Client {
  readonly #servers: Servers
  #server: Server | null = null

  constructor(config: DatabaseClientConfig) {
    const servers = Servers.of(config.connectionString)
    const several = servers.list.length > 1 && { connectionTimeoutMillis: connectMs }
    super({
      ...config,
      connectionString: serversOf(config.connectionString)?.url ?? config.connectionString,
      ...several,
    })
    this.#servers = servers
    const query = this.query.bind(this)
    Object.assign(this, { query: (...said: unknown[]): unknown => Reflect.apply(query, this, named(said)) })
  }

  override connect(): Promise<Client>
  override connect(callback: ((error: Error) => void) | ((error: null, client: Client) => void)): void
  override connect(callback?: unknown): Promise<Client> | void {
    const connected = this.#connect()
    if (typeof callback !== 'function') return connected
    connected.then(
      () => callback(null, this),
      (error: unknown) => callback(error),
    )
  }

  async #connect(): Promise<Client> {
    try {
      const server = await this.#servers.primary()
      this.#server = server
      Object.assign(this, server) // where pg connects to
      this.#servers.opened(this, server)
      this.on('error', () => this.#servers.forgetPrimary(server))
      this.once('end', () => this.#servers.closed(this))
      await super.connect()
      this.#servers.check(server, await identityOf(this))
      this.connection.on('errorMessage', (error: { code?: string }) => {
        if (error.code === readOnly) this.cut(new Error('the database’s server accepts no writes'))
      })
      return this
    } catch (error) {
      this.#servers.closed(this)
      if (this.#server) this.#servers.forgetPrimary(this.#server)
      void super.end().catch(() => {})
      throw error
    }
  }

  /** Ends the connection at once, whatever it waits for. */
  cut(reason: Error): void {
    this.connection.stream.destroy(reason)
  }
}
