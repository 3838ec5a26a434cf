import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { ForbiddenAddress, lookupFor, requireAllowed, resolverFor, type AllowedHosts } from '../outgoing.ts'
import { HttpClient, type HttpOutcome } from '../sms/http/http-client.ts'
import { whyNot } from '../sms/words.ts'
import { answerMs, postMs, type AddressAnswer, type AddressDriver, type Post, type Reach } from './driver.ts'

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
      const client = clientFor(reach, servers, answerMs, true)
      try {
        const request = { method: 'GET', url, headers: named, body: null } as const
        return answerOf(await client.send(request, new AbortController().signal))
      } finally {
        client.close()
      }
    },
    async post(url, reach, { headers, body }: Post) {
      const client = clientFor(reach, servers, postMs, false)
      try {
        const request = { method: 'POST', url, headers: { ...headers, ...named }, body } as const
        return answerOf(await client.send(request, new AbortController().signal))
      } finally {
        client.close()
      }
    },
  }
}

const named = { 'user-agent': 'Ghanti' }

function clientFor(reach: Reach, servers: readonly string[], ms: number, readsAnswers: boolean): HttpClient {
  const allowed = allowedHosts(reach)
  const lookup = lookupFor(allowed, resolverFor(allowed, servers))
  return new HttpClient(allowed, ms, { lookup, keepAlive: false, readsAnswers })
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
  return {
    kind: 'answered',
    status: asked.status ?? 0,
    ...(asked.kind === 'replied' && { retryAfter: asked.retryAfter }),
  }
}
