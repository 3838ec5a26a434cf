import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { DialerAddress, PingReply, Trunk, TrunkState } from '../../driver.ts'
import { Ami } from '../ari/ami.ts'
import { type Names, unresolvable } from './host-name.ts'
import { notAsked } from '../../../../lib/trunk-failure.ts'
import { AriError, type AriHttp } from '../ari/http.ts'
import { type Endpoint, Endpoints } from '../ari/messages.ts'
import { hasOther, type Hop, hopsOf, type HopState, nameOf, nextHop } from './hops.ts'
import { idOf, isOf, nthId, objectsOf, transportOf, TrunkError, type TrunkObjects } from './trunk-objects.ts'

type Seen = Pick<TrunkState, 'reachable' | 'registered'>
/** `fault`: its settings are impossible. `nowhere`: its host has no address, looked up at `resolvedAt`. `seen`: its last known state. */
type SetTrunk = {
  trunk: Trunk
  fault: string | null
  nowhere: string | null
  resolvedAt: number
  lastFailure: TrunkState['lastFailure']
  seen: Seen
  hops: readonly Hop[]
  hopStates: HopState[]
}
/** Where a call goes: a host of the trunk, and the address of record whose contact PJSIP uses. */
type Way = { host: string; aor: string }
type Contact = { reachable: boolean | null; roundTripMs: number | null; roundTrip: string }

/** In the order in which they depend on each other. */
const kinds = ['auth', 'aor', 'endpoint', 'identify', 'registration'] as const
const severalOf = new Set<string>(['aor', 'identify', 'registration'])
const pingPollMs = 100
/** Longer than a peer may take to answer. */
const pingWithinMs = 3600
/** A name that had an address is rarely looked up again, because the dialer itself notices when its peer is gone. */
const resolveEveryMs = 60_000
const resolveAgainMs = 5000
/** How long a host that failed a call is avoided, unless no other is left. */
const avoidMs = 30_000

/** The dialer's trunks, set while it runs: nothing is reloaded and no file edited. */
export class Trunks {
  readonly #app: string
  readonly #secret: string
  readonly #http: AriHttp
  readonly #ami: Ami
  readonly #names: Names
  #trunks = new Map<string, SetTrunk>()
  readonly #ids = new Map<string, string>()
  /** Objects sent to the dialer since it was connected, by id. */
  readonly #pushed = new Map<string, string>()
  #setting: Promise<void> = Promise.resolve()
  #lookedAt = -Infinity

  constructor(app: string, http: AriHttp, address: DialerAddress, names: Names) {
    this.#app = app
    this.#secret = address.secret
    this.#http = http
    this.#names = names
    this.#ami = new Ami(http, address)
  }

  /** For a restarted Asterisk, which may lack what was sent just before. */
  forgetPushed(): void {
    this.#pushed.clear()
  }

  /** Concurrent calls run one after the other. */
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

  /** Null: no host is left that the call did not try. */
  way(name: string, tried: readonly string[]): Way | null {
    const { hops = [], hopStates = [] } = this.#trunks.get(name) ?? {}
    const n = nextHop(hops, hopStates, { now: performance.now(), random: Math.random(), tried })
    const hop = n === undefined ? undefined : hops[n]
    return n === undefined || !hop ? null : { host: nameOf(hop), aor: nthId(this.#idOf(name), n) }
  }

  /** Whether another host may take a call that these did not. */
  hasOther(name: string, tried: readonly string[]): boolean {
    const { hops = [], hopStates = [] } = this.#trunks.get(name) ?? {}
    return hasOther(hops, hopStates, tried)
  }

  /** For a call that failed through the host's fault. */
  avoid(name: string, host: string): void {
    const { hops = [], hopStates = [] } = this.#trunks.get(name) ?? {}
    const state = hopStates[hops.findIndex((hop) => nameOf(hop) === host)]
    if (state) state.avoidUntil = performance.now() + avoidMs
  }

  async states(): Promise<TrunkState[]> {
    this.#lookAgain()
    const registrations = await this.#registrations()
    return Promise.all(
      [...this.#trunks].map(async ([name, known]) => {
        const contacts = known.fault ? [] : await this.#contacts(name)
        for (const [n, state] of known.hopStates.entries()) state.reachable = contacts[n]?.reachable ?? null
        const contact = bestOf(contacts)
        await this.#resolve(known, contact)
        const registered = registeredOf(known, this.#idOf(name), registrations)
        const seen = { reachable: contact?.reachable ?? null, registered }
        const loss = lossOf(known, seen)
        if (loss) known.lastFailure = { at: Date.now(), reason: loss }
        known.seen = seen
        const { lastFailure, fault, nowhere } = known
        return { name, ...seen, roundTripMs: contact?.roundTripMs ?? null, fault: fault ?? nowhere, lastFailure }
      }),
    )
  }

  /** Looks the host up here, because the dialer does not report why it fails. A peer that the dialer reaches all the same counts as found. */
  async #resolve(known: SetTrunk, contact: Contact | null): Promise<void> {
    if (known.fault) return
    if (contact?.reachable) known.nowhere = null
    const dueAt = known.resolvedAt + (known.nowhere ? resolveAgainMs : resolveEveryMs)
    if (contact?.reachable || performance.now() < dueAt) return
    known.resolvedAt = performance.now()
    const before = known.nowhere
    const all = await Promise.all(known.hops.map(({ host }) => unresolvable(host, this.#names)))
    known.nowhere = all.includes(null) ? null : (all[0] ?? null)
    if (known.nowhere && known.nowhere !== before) known.lastFailure = { at: Date.now(), reason: known.nowhere }
  }

  async ping(name: string): Promise<PingReply> {
    const found = this.find(name)
    if (typeof found === 'string') return { reachable: false, reason: found }
    if (!found.trunk.options.sendsOptions) return { reachable: false, reason: notAsked(name) }
    const before = await this.#contacts(name)
    const asked = await this.#ami.ask('PJSIPQualify', { Endpoint: found.id })
    if (!asked) return { reachable: false, reason: 'the dialer’s manager interface is off: it cannot ping trunks' }
    const until = performance.now() + pingWithinMs
    let after = before
    while (performance.now() < until) {
      await sleep(pingPollMs)
      after = await this.#contacts(name)
      if (!isDeepStrictEqual(after, before)) break
    }
    const best = bestOf(after)
    if (best?.reachable) return { reachable: true, roundTripMs: best.roundTripMs }
    return { reachable: false, reason: silent(found.trunk, this.#trunks.get(name)?.hops ?? []) }
  }

  async #set(trunks: readonly Trunk[]): Promise<void> {
    const next = new Map<string, SetTrunk>()
    for (const trunk of trunks) {
      const known = this.#trunks.get(trunk.name)
      const hops = await hopsOf(trunk, this.#names, known?.hops ?? [])
      const fault = await this.#put(trunk, hops)
      const isSame = known !== undefined && isDeepStrictEqual(known.trunk, trunk)
      next.set(trunk.name, {
        trunk,
        fault,
        nowhere: isSame ? known.nowhere : null,
        resolvedAt: isSame ? known.resolvedAt : -Infinity,
        lastFailure: fault ? { at: Date.now(), reason: fault } : (known?.lastFailure ?? null),
        seen: isSame ? known.seen : { reachable: null, registered: null },
        hops,
        hopStates:
          isSame && isDeepStrictEqual(known.hops, hops)
            ? known.hopStates
            : hops.map(() => ({ reachable: null, avoidUntil: 0 })),
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

  /** Returns why the settings are impossible; null when they are not. */
  async #put(trunk: Trunk, hops: readonly Hop[]): Promise<string | null> {
    const id = this.#idOf(trunk.name)
    try {
      const objects = objectsOf(id, trunk, hops, await this.#peersOf(hops))
      const pushing = JSON.stringify(objects)
      if (this.#pushed.get(id) === pushing) return null
      await this.#needTransport(trunk)
      if (trunk.options.srtp) await this.#needModule('res_srtp')
      await this.#remove(id) // a PUT adds to what exists and leaves an aor's old contact in place
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

  async #needTransport(trunk: Trunk): Promise<void> {
    const name = transportOf(trunk)
    if (await this.#http.did('GET', configPath('transport', name))) return
    const { clientCertificate } = trunk.options
    throw new TrunkError(
      clientCertificate === ''
        ? `the dialer has no transport for ${trunk.transport.toUpperCase()} (${name} in its pjsip.conf)`
        : `the dialer has no client certificate ${clientCertificate} (${name} in its pjsip.conf)`,
    )
  }

  async #needModule(name: string): Promise<void> {
    if (await this.#http.did('GET', `/asterisk/modules/${name}.so`)) return
    throw new TrunkError(`the dialer’s Asterisk lacks the module ${name}`)
  }

  /** IPv4 addresses from which the operator may send requests. Names unknown to DNS are no fault here. */
  async #peersOf(hops: readonly Hop[]): Promise<string[]> {
    const hosts = [...new Set(hops.map(({ host }) => host))]
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

  /** From the last of each kind to the first: an interrupted removal then leaves no gap, which would mislead the next one. */
  async #remove(id: string): Promise<void> {
    this.#pushed.delete(id)
    for (const kind of kinds.toReversed()) {
      let n = 1
      while (severalOf.has(kind) && (await this.#http.did('GET', configPath(kind, nthId(id, n))))) n++
      while (n-- > 0) await this.#http.did('DELETE', configPath(kind, nthId(id, n)))
    }
  }

  #idOf(name: string): string {
    const id = this.#ids.get(name) ?? idOf(this.#app, this.#secret, name)
    this.#ids.set(name, id)
    return id
  }

  async #contacts(name: string): Promise<readonly (Contact | null)[]> {
    const id = this.#idOf(name)
    const hops = this.#trunks.get(name)?.hops ?? []
    const messages = await this.#ami.ask('PJSIPShowEndpoint', { Endpoint: id })
    if (!messages) {
      const contact = await this.#contactByAri(name)
      return hops.map(() => contact)
    }
    const details = messages.filter((message) => message.get('Event') === 'ContactStatusDetail')
    return hops.map((_, n) => contactOf(details.find((message) => message.get('AOR') === nthId(id, n))))
  }

  async #contactByAri(name: string): Promise<Contact | null> {
    const state = (await this.#endpoints()).find(({ resource }) => resource === this.#idOf(name))?.state
    return state ? { reachable: state === 'online', roundTripMs: null, roundTrip: '' } : null
  }

  /** Sets all trunks again, because DNS may change its answers at any time. */
  #lookAgain(): void {
    const all = [...this.#trunks.values()].map(({ trunk }) => trunk)
    if (!all.some(({ options }) => options.byDns) || performance.now() < this.#lookedAt + resolveEveryMs) return
    this.#lookedAt = performance.now()
    void this.set(all).catch(() => undefined) // otherwise again in a minute
  }

  /** Without any trunk, as on a new dialer, ARI answers that there is no PJSIP. */
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

/** Why the trunk was lost since its state was last read, even if no call met that; null when it was not. */
function lossOf({ trunk, hops, nowhere, seen }: SetTrunk, now: Seen): string | null {
  if (nowhere) return null
  if (now.reachable === false && seen.reachable !== false) return silent(trunk, hops)
  if (now.registered === 'rejected' && seen.registered !== 'rejected')
    return `trunk ${trunk.name}: the operator rejects its registration`
  return null
}

function silent({ name }: Trunk, hops: readonly Hop[]): string {
  return `trunk ${name}: ${hops.map(({ host, port }) => `${host}:${port}`).join(',')} does not answer OPTIONS`
}

function contactOf(message: ReadonlyMap<string, string> | undefined): Contact | null {
  const status = message?.get('Status')
  if (!message || !status) return null
  const reachable = status === 'Reachable' ? true : status === 'Unreachable' ? false : null
  const roundTrip = message.get('RoundtripUsec') ?? ''
  const us = Number(roundTrip)
  return { reachable, roundTrip, roundTripMs: reachable && us > 0 ? us / 1000 : null }
}

/** A trunk answers when any of its hosts does. */
function bestOf(contacts: readonly (Contact | null)[]): Contact | null {
  for (const state of [true, null, false]) {
    const found = contacts.find((contact) => contact?.reachable === state)
    if (found) return found
  }
  return null
}

/** With one host all users must be registered; with several, the best host counts. Null when nothing registers or it is not known. */
function registeredOf(
  { trunk: { registers, options }, hops }: SetTrunk,
  id: string,
  known: ReadonlyMap<string, TrunkState['registered']>,
): TrunkState['registered'] {
  if (!registers) return null
  const users = 1 + options.aors.length
  const ofHops = hops.map((_, hop) => {
    const all = Array.from({ length: users }, (__, n) => known.get(nthId(id, hop * users + n)) ?? null)
    return (['rejected', 'unregistered', null] as const).find((state) => all.includes(state)) ?? 'registered'
  })
  return (['registered', 'unregistered', 'rejected'] as const).find((state) => ofHops.includes(state)) ?? null
}

function registrationOf(status = ''): TrunkState['registered'] {
  if (status === 'Registered') return 'registered'
  return status === 'Rejected' ? 'rejected' : 'unregistered'
}

function configPath(kind: string, id: string): string {
  return `/asterisk/config/dynamic/res_pjsip/${kind}/${id}`
}
