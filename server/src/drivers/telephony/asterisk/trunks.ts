import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { DialerAddress, PingReply, Trunk, TrunkState } from '../driver.ts'
import { Ami } from './ami.ts'
import { type Names, systemNames, unresolvable } from './host-name.ts'
import { notAsked } from '../../../lib/trunk-failure.ts'
import { AriError, type AriHttp } from './http.ts'
import { type Endpoint, Endpoints } from './messages.ts'
import { idOf, isOf, nextHop, nthId, objectsOf, TrunkError, type TrunkObjects } from './trunk-objects.ts'

type Seen = Pick<TrunkState, 'reachable' | 'registered'>
/** `fault`: its settings are impossible. `nowhere`: its host has no address, looked up at `resolvedAt`. `seen`: when its state was last read. */
type SetTrunk = {
  trunk: Trunk
  fault: string | null
  nowhere: string | null
  resolvedAt: number
  lastFailure: TrunkState['lastFailure']
  seen: Seen
}
type Contact = { reachable: boolean | null; roundTripMs: number | null; roundTrip: string }

/** In the order in which they need each other. */
const kinds = ['auth', 'aor', 'endpoint', 'identify', 'registration'] as const
/** Those of which a trunk may have several. */
const severalOf = new Set<string>(['identify', 'registration'])
const pingPollMs = 100
/** Longer than a peer has for its answer. */
const pingWithinMs = 3600
/** A name that had an address is looked up rarely, because the dialer itself notices when its peer is gone. */
const resolveEveryMs = 60_000
const resolveAgainMs = 5000

/** The dialer's trunks. They are set while it runs; nothing is reloaded and no file edited. */
export class Trunks {
  readonly #app: string
  readonly #secret: string
  readonly #http: AriHttp
  readonly #ami: Ami
  readonly #names: Names
  #trunks = new Map<string, SetTrunk>()
  readonly #ids = new Map<string, string>()
  /** What the dialer got since it was connected, by id. */
  readonly #pushed = new Map<string, string>()
  #setting: Promise<void> = Promise.resolve()

  constructor(app: string, http: AriHttp, address: DialerAddress, names = systemNames()) {
    this.#app = app
    this.#secret = address.secret
    this.#http = http
    this.#names = names
    this.#ami = new Ami(http, address)
  }

  /** Asterisk was restarted: what was sent just before may be missing. */
  forgetPushed(): void {
    this.#pushed.clear()
  }

  /** One at a time. */
  set(trunks: readonly Trunk[]): Promise<void> {
    const setting = this.#setting.then(() => this.#set(trunks))
    this.#setting = setting.catch(() => undefined)
    return setting
  }

  /** The trunk, or why it takes no call. */
  find(name: string): { trunk: Trunk; id: string } | string {
    const known = this.#trunks.get(name)
    if (!known) return `trunk ${name} is not known to the dialer`
    const fault = known.fault ?? known.nowhere
    if (fault) return `trunk ${name}: ${fault}`
    return { trunk: known.trunk, id: this.#idOf(name) }
  }

  failed(name: string, at: number, reason: string): void {
    const known = this.#trunks.get(name)
    if (known) known.lastFailure = { at, reason }
  }

  async states(): Promise<TrunkState[]> {
    const registrations = await this.#registrations()
    return Promise.all(
      [...this.#trunks].map(async ([name, known]) => {
        const contact = known.fault ? null : await this.#contact(name)
        await this.#resolve(known, contact)
        const registered = worstOf(known.trunk, this.#idOf(name), registrations)
        const seen = { reachable: contact?.reachable ?? null, registered }
        const loss = lossOf(known, seen)
        if (loss) known.lastFailure = { at: Date.now(), reason: loss }
        known.seen = seen
        const { lastFailure, fault, nowhere } = known
        return { name, ...seen, roundTripMs: contact?.roundTripMs ?? null, fault: fault ?? nowhere, lastFailure }
      }),
    )
  }

  /** Looked up here and not on the dialer, which does not report it. When the dialer reaches its peer all the same, that counts. */
  async #resolve(known: SetTrunk, contact: Contact | null): Promise<void> {
    if (known.fault) return
    if (contact?.reachable) known.nowhere = null
    const dueAt = known.resolvedAt + (known.nowhere ? resolveAgainMs : resolveEveryMs)
    if (contact?.reachable || performance.now() < dueAt) return
    known.resolvedAt = performance.now()
    const before = known.nowhere
    known.nowhere = await unresolvable(nextHop(known.trunk).host, this.#names)
    if (known.nowhere && known.nowhere !== before) known.lastFailure = { at: Date.now(), reason: known.nowhere }
  }

  async ping(name: string): Promise<PingReply> {
    const found = this.find(name)
    if (typeof found === 'string') return { reachable: false, reason: found }
    if (!found.trunk.options.sendsOptions) return { reachable: false, reason: notAsked(name) }
    const before = await this.#contact(name)
    const asked = await this.#ami.ask('PJSIPQualify', { Endpoint: found.id })
    if (!asked) return { reachable: false, reason: 'the dialer’s manager interface is off: it cannot ping trunks' }
    const until = performance.now() + pingWithinMs
    let after = before
    while (performance.now() < until) {
      await sleep(pingPollMs)
      after = await this.#contact(name)
      if (after?.reachable !== before?.reachable || after?.roundTrip !== before?.roundTrip) break
    }
    if (after?.reachable) return { reachable: true, roundTripMs: after.roundTripMs }
    return { reachable: false, reason: silent(found.trunk) }
  }

  async #set(trunks: readonly Trunk[]): Promise<void> {
    const next = new Map<string, SetTrunk>()
    for (const trunk of trunks) {
      const fault = await this.#put(trunk)
      const known = this.#trunks.get(trunk.name)
      const isSame = known !== undefined && isDeepStrictEqual(known.trunk, trunk)
      next.set(trunk.name, {
        trunk,
        fault,
        nowhere: isSame ? known.nowhere : null,
        resolvedAt: isSame ? known.resolvedAt : -Infinity,
        lastFailure: fault ? { at: Date.now(), reason: fault } : (known?.lastFailure ?? null),
        seen: isSame ? known.seen : { reachable: null, registered: null },
      })
    }
    await Promise.all([...next.values()].map((one) => this.#resolve(one, null)))
    this.#trunks = next
    const wanted = new Set(trunks.map(({ name }) => this.#idOf(name)))
    for (const { resource } of await this.#endpoints()) {
      if (!isOf(this.#app, resource) || wanted.has(resource)) continue
      await this.#remove(resource)
    }
  }

  /** Answers why it is impossible. */
  async #put(trunk: Trunk): Promise<string | null> {
    const id = this.#idOf(trunk.name)
    try {
      const objects = objectsOf(id, trunk, await this.#peersOf(trunk))
      const pushing = JSON.stringify(objects)
      if (this.#pushed.get(id) === pushing) return null
      await this.#needTransport(trunk.transport)
      if (trunk.options.srtp) await this.#needModule('res_srtp')
      await this.#remove(id) // a PUT adds to what exists, and leaves an aor's old contact in place
      await this.#create(id, objects)
      this.#pushed.set(id, pushing)
      return null
    } catch (error) {
      if (error instanceof TrunkError) return error.message
      if (error instanceof AriError && error.status < 500)
        return `the dialer does not take its settings: ${error.message}`
      throw error
    }
  }

  async #needTransport(transport: Trunk['transport']): Promise<void> {
    if (await this.#http.did('GET', configPath('transport', `transport-${transport}`))) return
    throw new TrunkError(
      `the dialer has no transport for ${transport.toUpperCase()} (transport-${transport} in its pjsip.conf)`,
    )
  }

  async #needModule(name: string): Promise<void> {
    if (await this.#http.did('GET', `/asterisk/modules/${name}.so`)) return
    throw new TrunkError(`the dialer’s Asterisk lacks the module ${name}`)
  }

  /** IPv4 addresses from which the operator's own requests may come; names that DNS does not know are no fault here. */
  async #peersOf(trunk: Trunk): Promise<string[]> {
    const hosts = [...new Set([trunk.host, nextHop(trunk).host])]
    const found = await Promise.all(
      hosts.map(async (host) => (isIP(host) ? [host] : await this.#names.byDns(host).catch(() => []))),
    )
    return found.flat().toSorted()
  }

  async #create(id: string, objects: TrunkObjects): Promise<void> {
    for (const kind of kinds) {
      for (const [n, fields] of objects[kind].entries()) {
        const body = { fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value })) }
        await this.#http.ari('PUT', configPath(kind, nthId(id, n)), { body })
      }
    }
  }

  /** From the last of each kind to the first, so that a removal that is interrupted leaves no gap, by which the next one would be misled. */
  async #remove(id: string): Promise<void> {
    this.#pushed.delete(id)
    for (const kind of kinds.toReversed()) {
      let n = 1
      while (severalOf.has(kind) && (await this.#http.did('GET', configPath(kind, nthId(id, n))))) n++
      while (n-- > 0) await this.#http.did('DELETE', configPath(kind, nthId(id, n)))
    }
  }

  /** Asked for by each call. */
  #idOf(name: string): string {
    const id = this.#ids.get(name) ?? idOf(this.#app, this.#secret, name)
    this.#ids.set(name, id)
    return id
  }

  async #contact(name: string): Promise<Contact | null> {
    const messages = await this.#ami.ask('PJSIPShowEndpoint', { Endpoint: this.#idOf(name) })
    if (!messages) return this.#contactByAri(name)
    const contact = messages.find((message) => message.get('Event') === 'ContactStatusDetail')
    const status = contact?.get('Status')
    if (!contact || !status) return null
    const reachable = status === 'Reachable' ? true : status === 'Unreachable' ? false : null
    const roundTrip = contact.get('RoundtripUsec') ?? ''
    const us = Number(roundTrip)
    return { reachable, roundTrip, roundTripMs: reachable && us > 0 ? us / 1000 : null }
  }

  async #contactByAri(name: string): Promise<Contact | null> {
    const state = (await this.#endpoints()).find(({ resource }) => resource === this.#idOf(name))?.state
    return state ? { reachable: state === 'online', roundTripMs: null, roundTrip: '' } : null
  }

  /** Without any trunk, as on a new dialer, ARI says that there is no PJSIP. */
  async #endpoints(): Promise<Endpoint[]> {
    try {
      return Endpoints.parse(await this.#http.ari('GET', '/endpoints/PJSIP'))
    } catch (error) {
      if (error instanceof AriError && error.status === 404) return []
      throw error
    }
  }

  async #registrations(): Promise<Map<string, TrunkState['registered']>> {
    if (![...this.#trunks.values()].some(({ trunk }) => trunk.registers)) return new Map()
    const messages = (await this.#ami.ask('PJSIPShowRegistrationsOutbound')) ?? []
    return new Map(
      messages
        .filter((message) => message.get('Event') === 'OutboundRegistrationDetail')
        .map((message) => [message.get('ObjectName') ?? '', registrationOf(message.get('Status'))]),
    )
  }
}

/** Why the trunk was lost since it was last read, though no call may have met it. Null: it was not. */
function lossOf({ trunk, nowhere, seen }: SetTrunk, now: Seen): string | null {
  if (nowhere) return null
  if (now.reachable === false && seen.reachable !== false) return silent(trunk)
  if (now.registered === 'rejected' && seen.registered !== 'rejected')
    return `trunk ${trunk.name}: the operator rejects its registration`
  return null
}

function silent(trunk: Trunk): string {
  const { host, port } = nextHop(trunk)
  return `trunk ${trunk.name}: ${host}:${port} does not answer OPTIONS`
}

/** Of all that it registers: one that is rejected counts, then one that is not registered. Null: it registers nobody, or it is not known. */
function worstOf(
  { registers, options }: Trunk,
  id: string,
  known: ReadonlyMap<string, TrunkState['registered']>,
): TrunkState['registered'] {
  if (!registers) return null
  const all = ['', ...options.aors].map((_, n) => known.get(nthId(id, n)) ?? null)
  return (['rejected', 'unregistered', null] as const).find((state) => all.includes(state)) ?? 'registered'
}

function registrationOf(status = ''): TrunkState['registered'] {
  if (status === 'Registered') return 'registered'
  return status === 'Rejected' ? 'rejected' : 'unregistered'
}

function configPath(kind: string, id: string): string {
  return `/asterisk/config/dynamic/res_pjsip/${kind}/${id}`
}
