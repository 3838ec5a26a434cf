import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { ForbiddenAddress, lookupFor, requireAllowed, resolverFor, type AllowedHosts } from '../outgoing.ts'
import { HttpClient, type HttpOutcome } from '../sms/http/http-client.ts'
import { whyNot } from '../sms/words.ts'
import { answerMs, type AddressAnswer, type AddressDriver, type Reach } from './driver.ts'

type Options = {
  /** DNS servers; none: the system's. */
  servers?: readonly string[]
}

/** Each request has a connection of its own, and the address is checked as it connects. */
export function httpAddresses({ servers = [] }: Options = {}): AddressDriver {
  return {
    async mayReach(url, reach) {
      const allowed = allowedHosts(reach)
      try {
        requireAllowed(allowed, url.hostname)
      } catch {
        return false
      }
      if (isIP(plain(url.hostname)) > 0) return true
      const lookup = lookupFor(allowed, resolverFor(allowed, servers))
      return new Promise((resolve) => {
        lookup(url.hostname, { all: true }, (error) => resolve(!(error instanceof ForbiddenAddress)))
      })
    },
    async ask(url, reach) {
      const allowed = allowedHosts(reach)
      const lookup = lookupFor(allowed, resolverFor(allowed, servers))
      const client = new HttpClient(allowed, answerMs, { lookup, keepAlive: false })
      try {
        const request = { method: 'GET', url, headers: { 'user-agent': 'Ghanti' }, body: null } as const
        return answerOf(await client.send(request, new AbortController().signal))
      } finally {
        client.close()
      }
    },
  }
}

const plain = (host: string): string => host.replace(/^\[|\]$/g, '')

function allowedHosts(reach: Reach): AllowedHosts {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
  return { ...reach, ownAddresses: new Set(own) }
}

function answerOf(asked: HttpOutcome): AddressAnswer {
  if (asked.kind === 'unreached')
    return { kind: 'unreached', forbidden: asked.error instanceof ForbiddenAddress, why: whyNot(asked.error) }
  if (asked.kind === 'lost' && asked.status === null) return { kind: 'lost', slow: asked.why === 'slow' }
  return { kind: 'answered', status: asked.status ?? 0 }
}
