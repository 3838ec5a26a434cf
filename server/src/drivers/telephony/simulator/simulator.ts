import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DialerAddress, DialerConnection, DialerEvent, TelephonyDriver } from '../driver.ts'
import type { TranscriptLine } from './channel.ts'
import { type Link, LinkError, SimulatorConnection } from './connection.ts'
import { handlersOf } from './handlers.ts'
import type { OperatorLimit } from './limit.ts'
import { Network, type NetworkOptions } from './network.ts'
import type { TrunkFault, TrunkFlaw } from './numbers.ts'
import type { Handlers, InputOf, OperationName, ReplyOf } from './protocol.ts'
import { RecordFile } from './record.ts'

export type SimulatorOptions = Partial<NetworkOptions> & {
  /** The folder of the dialers' records, with a file for each host and port. */
  recordFolder: string
}

/** What tests do to a simulated dialer behind the engine's back. */
export type SimulatorControl = {
  /** `host`: of this host of the trunk alone, like '127.0.0.1:5060'. Left out: of all. */
  setTrunkFault(trunk: string, fault: TrunkFault | null, host?: string): Promise<void>
  /** How many calls per second the trunk's operator accepts; null: all. */
  setTrunkLimit(trunk: string, limit: OperatorLimit | null): Promise<void>
  /** What is wrong with the trunk's calls although it carries them; null: nothing. */
  setTrunkFlaw(trunk: string, flaw: TrunkFlaw | null): Promise<void>
  /** In order of time. Empty unless transcripts are kept. */
  transcript(channelId: string): Promise<TranscriptLine[]>
}

export type Simulator = TelephonyDriver & {
  control(dialer: Pick<DialerAddress, 'host' | 'port'>): SimulatorControl
  /** Ends the networks, as if the dialers lost their power. */
  close(): void
}

type Dialer = { network: Network; handlers: Handlers; holder: LocalLink | null }

/** Networks in this process, one for each dialer's address. They end with the process; their records stay. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const dialers = new Map<string, Dialer>()
  const dialerAt = ({ host, port }: Pick<DialerAddress, 'host' | 'port'>): Dialer => {
    const name = `${host}-${port}`.replace(/[^\w.-]/g, '_')
    const known = dialers.get(name)
    if (known) return known
    mkdirSync(options.recordFolder, { recursive: true })
    const network = createNetwork(options, join(options.recordFolder, `${name}.csv`))
    const dialer: Dialer = { network, handlers: handlersOf(network), holder: null }
    dialers.set(name, dialer)
    return dialer
  }
  return {
    name: 'simulator',
    runsAhead: options.mixture === true,
    async connect(address): Promise<DialerConnection> {
      const dialer = dialerAt(address)
      dialer.holder?.replace()
      const link = new LocalLink(dialer.network.options.speed, dialer.handlers, () => {
        if (dialer.holder !== link) return
        dialer.holder = null
        dialer.network.listen(null)
      })
      dialer.holder = link
      dialer.network.listen((events) => link.deliver(events))
      return new SimulatorConnection(link)
    },
    control(address) {
      const { network } = dialerAt(address)
      return {
        setTrunkFault: async (trunk, fault, host) => network.trunks.setFault(trunk, fault, host),
        setTrunkLimit: async (trunk, limit) => network.trunks.setLimit(trunk, limit),
        setTrunkFlaw: async (trunk, flaw) => network.trunks.setFlaw(trunk, flaw),
        transcript: async (channelId) => network.transcript(channelId),
      }
    },
    close() {
      for (const { network, holder } of dialers.values()) {
        holder?.end('the simulator is closed')
        network.close()
      }
      dialers.clear()
    },
  }
}

export function createNetwork(options: Partial<NetworkOptions>, recordPath: string): Network {
  const { speed = 1, seed = 1, mixture = false, keepTranscripts = false } = options
  return new Network({ speed, seed, mixture, keepTranscripts }, new RecordFile(recordPath, Date.now()))
}

class LocalLink implements Link {
  readonly speed: number
  readonly #handlers: Handlers
  readonly #release: () => void
  #listener: ((events: DialerEvent[]) => void) | null = null
  #over: string | null = null

  constructor(speed: number, handlers: Handlers, release: () => void) {
    this.speed = speed
    this.#handlers = handlers
    this.#release = release
  }

  async request<Name extends OperationName>(name: Name, input: InputOf[Name]): Promise<ReplyOf[Name]> {
    if (this.#over) throw new LinkError(this.#over, false)
    return this.#handlers[name](input)
  }

  onEvents(listener: (events: DialerEvent[]) => void): void {
    this.#listener = listener
  }

  deliver(events: DialerEvent[]): void {
    this.#listener?.(events)
  }

  end(why: string): void {
    this.#over ??= why
  }

  replace(): void {
    this.end('another client took the dialer over')
    this.deliver([{ type: 'replaced', at: Date.now() }])
  }

  async close(): Promise<void> {
    this.end('the connection is closed')
    this.#release()
  }
}
