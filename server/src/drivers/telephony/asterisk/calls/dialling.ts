import { dialable } from '@ghanti/contract/phone.ts'
import type { DialReply, DialRequest, Trunk } from '../../driver.ts'
import type { DialerClock } from '../ari/dialer-clock.ts'
import { requestsInFlight } from '../ari/requests-in-flight.ts'
import type { Leg } from './leg.ts'
import { AriError, type AriHttp, AriSilence } from '../ari/http.ts'
import type { Legs } from './legs.ts'
import type { Link } from '../ari/link.ts'
import { Variable } from '../ari/messages.ts'
import { calledAs, cliAs } from './numbers.ts'
import { Silence } from './silence.ts'
import { Slots } from '../ari/slots.ts'
import { headersOf } from '../trunks/trunk-objects.ts'
import type { Trunks } from '../trunks/trunks.ts'

/** The dialler's time until it rings, on top of ring and talk time. */
const setUpMs = 5000
/** The dialer's dialplan for answered calls (telephony/etc/dialer/extensions.conf). A global variable shows that it is installed. */
const answered = { context: 'ghanti-answered', extension: 's', priority: '1' }
const dialplanMark = { variable: 'GHANTI_DIALPLAN', value: '6' }

/**
 * Rings each number with one request that is never repeated. The dialer's own dialplan takes answered calls: it sets the call's limit and hands it
 * to our application, or keeps it until our socket is back. So nobody who answers is hung up on while the application is away.
 */
export class Dialling {
  readonly #slots = new Slots(0)
  readonly #app: string
  readonly #http: AriHttp
  readonly #link: Link
  readonly #legs: Legs
  readonly #trunks: Trunks
  readonly #clock: DialerClock
  readonly #silence: Silence

  constructor(parts: { app: string; http: AriHttp; link: Link; legs: Legs; trunks: Trunks; clock: DialerClock }) {
    this.#app = parts.app
    this.#http = parts.http
    this.#link = parts.link
    this.#legs = parts.legs
    this.#trunks = parts.trunks
    this.#clock = parts.clock
    this.#silence = new Silence(parts.http, (leg) => parts.legs.get(leg.channelId) === leg)
  }

  /** Rejects when the dialer lacks the dialplan for answered calls. */
  async prove(): Promise<void> {
    const query = { variable: dialplanMark.variable }
    const { value } = Variable.parse(await this.#http.ari('GET', '/asterisk/variable', { query }))
    if (value === dialplanMark.value) return
    throw new Error('its dialplan is not that of this version (telephony/etc/dialer/extensions.conf)')
  }

  async dial(request: DialRequest): Promise<DialReply> {
    if (dialable(request.number)?.e164 !== request.number) throw new Error('not a dialable number in E.164')
    if (!/^[A-Za-z0-9-]{1,80}$/.test(request.channelId)) throw new Error(`not a channel id: ${request.channelId}`)
    if (!/^[\w+*# .-]{0,40}$/.test(request.cli)) throw new Error(`not a caller ID: ${request.cli}`)
    const until = performance.now() + request.deadlineMs
    const { dials } = requestsInFlight(this.#clock.roundTripMs)
    this.#slots.resize(dials)
    if (!(await this.#slots.take(request.deadlineMs)))
      return { outcome: 'notSent', reason: `${dials} calls were being set up all the time` }
    try {
      return await this.#dialNow(request, until)
    } finally {
      this.#slots.giveBack()
    }
  }

  async #dialNow(request: DialRequest, until: number): Promise<DialReply> {
    const reason = this.#link.unavailableReason
    if (reason) return { outcome: 'notSent', reason }
    const found = this.#trunks.find(request.trunk)
    if (typeof found === 'string') return { outcome: 'trunkFault', reason: found }
    const { channelId } = request
    if (this.#legs.get(channelId)) return { outcome: 'exists' }
    const leg = this.#legs.expect(request, this.#clock.now())
    leg.isBeingDialled = true
    const reply = await this.#tryHosts(request, found, leg, until)
    leg.isBeingDialled = false
    if (reply.outcome === 'dialled' || reply.outcome === 'unknown')
      this.#silence.watch(leg, found.trunk.options.silentSeconds * 1000)
    else this.#legs.forget(channelId)
    return reply
  }

  /** When the dialer itself refuses to call a host, the next one follows at once: nothing rang. */
  async #tryHosts(
    request: DialRequest,
    found: { trunk: Trunk; id: string },
    leg: Leg,
    until: number,
  ): Promise<DialReply> {
    let reason = `trunk ${request.trunk} has no host left to call`
    for (let way; (way = this.#trunks.way(request.trunk, leg.notHosts)) !== null;) {
      leg.host = way.host
      const reply = await this.#ring(request, { ...found, aor: way.aor }, Math.max(1, until - performance.now()))
      if (reply.outcome !== 'trunkFault') return reply
      reason = reply.reason
      this.#trunks.avoid(request.trunk, way.host)
      leg.notHosts = [...leg.notHosts, way.host]
    }
    this.#trunks.failed(request.trunk, this.#clock.now(), reason)
    return { outcome: 'trunkFault', reason }
  }

  async #ring(
    { channelId, cli, number, ringMs, talkMsMax }: DialRequest,
    { trunk, id, aor }: { trunk: Trunk; id: string; aor: string },
    deadlineMs: number,
  ): Promise<DialReply> {
    const caller = cliAs(cli, trunk.cliFormat)
    const variables = {
      'TIMEOUT(absolute)': seconds(setUpMs + ringMs + talkMsMax),
      'CONNECTEDLINE(num,i)': caller,
      'CONNECTEDLINE(num-pres,i)': 'allowed',
      GHANTI_TALK: seconds(talkMsMax),
      GHANTI_APP: this.#app,
      GHANTI_SILENCE: String(trunk.options.rtpTimeoutSeconds * 1000),
      ...Object.fromEntries(
        Object.entries(headersOf(trunk, caller)).map(([header, value]) => [`PJSIP_HEADER(add,${header})`, value]),
      ),
    }
    const endpoint = `PJSIP/${calledAs(number, trunk)}@${id}/${aor}`
    const timeout = String(Math.max(1, Math.floor(ringMs / 1000)))
    try {
      const query = { endpoint, channelId, timeout, ...answered }
      await this.#http.send('POST', '/channels', { query, body: { variables }, deadlineMs })
      return { outcome: 'dialled' }
    } catch (error) {
      if (error instanceof AriSilence) {
        this.#link.doubt()
        return { outcome: error.left ? 'unknown' : 'notSent', reason: error.message }
      }
      if (!(error instanceof AriError)) throw error
      if (error.status === 409) return { outcome: 'exists' }
      const reason = `trunk ${trunk.name} takes no call (${error.message}): it does not answer, or is not set up`
      return { outcome: 'trunkFault', reason }
    }
  }
}

export function seconds(ms: number): string {
  return (Math.max(50, ms) / 1000).toFixed(3)
}
