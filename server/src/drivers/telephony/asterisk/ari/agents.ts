import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import * as tls from 'node:tls'
import type { DialerAddress } from '../../driver.ts'

type Place = Pick<DialerAddress, 'host' | 'port' | 'certificate'>

/** ARI collapses under requests from many sockets, so there are few, kept alive and used in turn. */
export function agentFor({ certificate }: Place, sockets: number): http.Agent {
  const options = { keepAlive: true, maxSockets: sockets, scheduling: 'fifo' as const }
  return certificate === null ? new http.Agent(options) : new PinnedAgent(options, certificate)
}

const plainHex = (fingerprint: string): string => fingerprint.replaceAll(':', '').toLowerCase()

/** The fingerprint alone identifies the certificate; no byte leaves before it was compared. */
class PinnedAgent extends https.Agent {
  readonly #certificate: string

  constructor(options: https.AgentOptions, certificate: string) {
    super(options)
    this.#certificate = plainHex(certificate)
  }

  override createConnection(
    options: tls.ConnectionOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const socket = tls.connect({ ...options, rejectUnauthorized: false })
    const fail = (error: Error): void => callback?.(error, socket)
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      const seen = plainHex(socket.getPeerCertificate().fingerprint256 ?? '')
      if (seen === this.#certificate) {
        socket.off('error', fail)
        callback?.(null, socket)
      } else {
        socket.destroy(
          new Error(`the dialer shows another certificate (SHA-256 ${seen}) than the one it was entered with`),
        )
      }
    })
  }
}
