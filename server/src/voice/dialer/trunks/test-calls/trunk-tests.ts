import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { ChannelEvent, DialerConnection, HungUp } from '../../../../drivers/telephony/driver.ts'
import { settings } from '../../../../modules/platform/rules.ts'
import { testChannel } from '../../../../dispatch/channel-names.ts'
import { withGivenName, trunkName } from '../../../model/calls/trunk-data.ts'
import type { TrunkHealthTracker } from '../health/trunk-health.ts'
import type { DialerTrunks, TrunkNow } from '../state/trunks.ts'
import { failedHost } from '../../../model/calls/disposition.ts'
import type { SessionContext } from '../../connection/session-context.ts'
import { testWords, testResultOf, type TestResult } from './trunk-test-words.ts'
import { beginTest, takeTests, reportTest, type TrunkTest } from './trunk-tests.sql.ts'
import { loadSetting } from '../../../model/campaigns/snapshot.sql.ts'
import { messageOf } from '../../../../lib/error-code.ts'
import { mayTryNextHost } from '../../../../lib/trunk-limits.ts'

/** How long a test call rings, and how long it lasts once somebody answers. */
const ringMs = 45_000
const listenMs = 5000
/** Its limit from the answer, whatever becomes of this process. */
const talkMsMax = 15_000
const deadlineMs = 1000
/** How long a test waits for the calls per second, since a person waits for it. */
const turnMsMax = 5000
const turnEveryMs = 20
/** How long it waits for a trunk that has just been made or changed. */
const setUpMs = 2000
const graceMs = 10_000
/** After this long no further host is called: the test holds its number for three minutes, and the last call must be over by then. */
const nextHostMs = 90_000
/** The engine calls a test number no more often than this, whatever campaigns meet, and no more often a day than any number. */
const numberEveryMs = 60_000
/** After how long a test whose number is in another call is tried again. */
const numberBusyMs = 5000
const running = { passed: null, result: null }

/**
 * Runs the tests of the dialer's trunks that super admins, and the engine itself, request. Each is run once, by the holder of the lease, and
 * is taken in the database before anything rings. A test call belongs to no campaign and nobody pays for it, but it takes its number, a
 * channel and its turn like any other.
 */
export class TrunkTests {
  readonly #context: SessionContext
  readonly #trunks: DialerTrunks
  readonly #health: TrunkHealthTracker
  readonly #calls = new Map<string, (event: ChannelEvent) => void>()
  readonly #shutdown = new AbortController()
  #underWay = 0
  /** Trunks whose test numbers the engine itself is calling or wants to call. */
  readonly #suspected = new Set<number>()

  constructor(context: SessionContext, trunks: DialerTrunks, health: TrunkHealthTracker) {
    this.#context = context
    this.#trunks = trunks
    this.#health = health
  }

  /** Null: no call may begin there now. */
  get #connection(): DialerConnection | null {
    const { holder, link } = this.#context
    return holder.safe && !holder.isLeaving ? link.up : null
  }

  get #dialerDown(): string {
    return testWords.dialerDown(this.#context.link.down?.reason ?? null)
  }

  get busy(): boolean {
    return this.#underWay > 0
  }

  /** A test call is under way or waits, of a person or of the engine itself. The dialer ticks meanwhile, and so asks for what the call needs of its contract. */
  get needsTicks(): boolean {
    return this.busy || this.#suspected.size > 0
  }

  /** Somebody asked for one. */
  get isDue(): boolean {
    const { deps, holder } = this.#context
    return deps.polls.tests.has(holder.lease.dialerId)
  }

  async round(): Promise<void> {
    const { deps, holder } = this.#context
    const { lease } = holder
    if (!this.isDue) return
    const tests = await takeTests(deps.pool, lease, testWords.numberBusy)
    if (tests.length > 0) {
      const { dialer, trunks: rows } = await deps.readTrunks()
      if (dialer) this.#trunks.update(dialer, rows)
    }
    for (const test of tests) void this.#run(test)
  }

  /** False: the event belongs to no test call. */
  deliver(event: Exclude<ChannelEvent, { type: 'recordingEnded' | 'bridgePlaybackEnded' }>): boolean {
    const listener = this.#calls.get(event.channelId)
    listener?.(event)
    return listener !== undefined
  }

  close(): void {
    this.#shutdown.abort()
  }

  async #run(test: TrunkTest): Promise<void> {
    const { holder, log } = this.#context
    const connection = this.#connection
    const trunk = await this.#trunkOf(test)
    let outcome: TestResult
    this.#underWay += 1
    try {
      if (!trunk) outcome = { passed: false, result: testWords.gone }
      else if (!connection) outcome = { passed: false, result: this.#dialerDown }
      else if (trunk.fault) outcome = { passed: false, result: testWords.failed(trunk.fault) }
      else if (test.kind === 'ping') outcome = await this.#ping(connection, trunk)
      else outcome = await this.#call(connection, test)
    } catch (error) {
      log.error({ error, testId: test.id, epoch: holder.lease.epoch }, 'a test of a trunk failed')
      outcome = { passed: false, result: testWords.failed(messageOf(error)) }
    } finally {
      this.#underWay -= 1
    }
    const result = trunk ? withGivenName(outcome.result, trunk) : outcome.result
    await this.#report(test, { progress: null, passed: outcome.passed, result })
  }

  /** The trunk's settings on the dialer, once the dialer had time to get them. */
  async #trunkOf(test: TrunkTest): Promise<TrunkNow | null> {
    for (const until = performance.now() + setUpMs; ; await sleep(turnEveryMs)) {
      const trunk = this.#trunks.trunk(test.trunk_id)
      if (trunk?.isSet || performance.now() > until || this.#shutdown.signal.aborted) return trunk
    }
  }

  async #ping(connection: DialerConnection, trunk: { id: number }): Promise<TestResult> {
    const reply = await connection.optionsPing(trunkName(trunk.id))
    return reply.reachable
      ? { passed: true, result: testWords.reachable(reply.roundTripMs) }
      : { passed: false, result: testWords.unreachable(reply.reason) }
  }

  /** At the hosts of the trunk in turn, each once, as long as they fail before anything rings. What the last one said is the result. */
  async #call(connection: DialerConnection, test: TrunkTest): Promise<TestResult> {
    const trunks = this.#trunks
    const trunkId = test.trunk_id
    const nextHostUntil = performance.now() + nextHostMs
    let notHosts: string[] = []
    let end: HungUp | null = null
    for (;;) {
      const over = await this.#dial(connection, test, notHosts)
      if ('refused' in over && notHosts.length === 0) return { passed: false, result: over.refused }
      if ('refused' in over) break
      end = over.end
      const host = end && failedHost(end, trunks.rulesOf(trunkId))
      if (host === null || !mayTryNextHost(notHosts) || performance.now() > nextHostUntil) break
      notHosts = [...notHosts, host]
    }
    if (end) this.#health.tested(trunkId, end)
    const outcome = testResultOf(end, trunks.rulesOf(trunkId))
    if (outcome.passed) this.#health.mended(trunkId)
    return outcome
  }

  /** How the call ended (null: nobody knows), or why none was made. */
  async #dial(
    connection: DialerConnection,
    test: TrunkTest,
    notHosts: readonly string[],
  ): Promise<{ end: HungUp | null } | { refused: string }> {
    const { deps, holder, switchboard, monitor } = this.#context
    const trunkId = test.trunk_id
    const reason = await this.#turn(trunkId)
    if (reason !== null) return { refused: reason }
    const channelId = testChannel(deps.channelPrefix, holder.lease.epoch, test.id, notHosts.length)
    switchboard.addTest(channelId, trunkId)
    const number = `+${test.phone}`
    monitor.testBegan(test.id, trunkId, number)
    try {
      const leg = this.#follow(connection, channelId, (text) => void this.#report(test, { progress: text, ...running }))
      const reply = await connection.dial({
        channelId,
        trunk: trunkName(trunkId),
        cli: test.cli ?? '',
        number,
        ringMs,
        talkMsMax,
        notHosts,
        deadlineMs,
        isTraced: true,
      })
      const isSent = reply.outcome !== 'notSent' && reply.outcome !== 'trunkFault'
      return isSent ? { end: await leg } : { refused: testWords.failed(reply.reason) }
    } finally {
      this.#calls.delete(channelId)
      switchboard.removeTest(channelId)
      monitor.testEnded(test.id)
    }
  }

  /**
   * Calls the trunk's test number over it, if it has one. How that ends shows whose fault it is that calls are refused. While the number is in
   * another call the test is tried again, as long as the trunk is suspected.
   */
  callNumberOf(trunkId: number, cli: string): void {
    if (this.#suspected.has(trunkId)) return
    this.#suspected.add(trunkId)
    this.#callNumberOf(trunkId, cli)
      .catch((error: unknown) =>
        this.#context.log.error({ error, trunkId }, 'the test number of a trunk could not be called'),
      )
      .finally(() => this.#suspected.delete(trunkId))
  }

  async #callNumberOf(trunkId: number, cli: string): Promise<void> {
    const { deps, holder } = this.#context
    while (!this.#shutdown.signal.aborted && this.#health.isSuspected(trunkId)) {
      const phone = this.#trunks.testNumberOf(trunkId)
      const speed = this.#connection?.speed
      if (phone === null || speed === undefined) return
      const everyMs = Math.round(numberEveryMs / speed)
      const test = await beginTest(deps.pool, holder.lease, {
        trunkId,
        phone,
        cli,
        everyMs,
        aDay: await this.#callsADay(),
      })
      if (test === 'enough') return
      if (test !== 'busy') return this.#run(test)
      await sleep(numberBusyMs / speed)
    }
  }

  async #callsADay(): Promise<number> {
    const { key, schema, fallback } = settings.numberCaps
    return z.parse(schema, (await loadSetting(this.#context.deps.pool, key)) ?? fallback).platform
  }

  /** Waits for a free channel and its place in the calls per second. Returns why it gets none, or null when the place is taken. */
  async #turn(trunkId: number): Promise<string | null> {
    const trunks = this.#trunks
    const until = performance.now() + turnMsMax
    for (;;) {
      if (this.#shutdown.signal.aborted) return testWords.letGo
      if (!this.#connection) return this.#dialerDown
      const free = trunks.legFree(trunkId)
      const isItsTurn = trunks.contracts.mayBeginLeg(trunkId, performance.now())
      if (free && isItsTurn && trunks.beginsNow(trunkId)) return null
      if (performance.now() > until) return free ? testWords.noTurn : testWords.noChannel
      await sleep(turnEveryMs)
    }
  }

  /** Resolves with the end of the call, or with null when nobody reports it. Hangs up a while after the answer. */
  #follow(connection: DialerConnection, channelId: string, progress: (text: string) => void): Promise<HungUp | null> {
    const { speed } = connection
    const { signal } = this.#shutdown
    return new Promise((resolve) => {
      let hangUp: NodeJS.Timeout | undefined
      const end = (leg: HungUp | null): void => {
        clearTimeout(tooLong)
        clearTimeout(hangUp)
        resolve(leg)
      }
      const tooLong = setTimeout(() => end(null), (ringMs + talkMsMax) / speed + graceMs)
      signal.addEventListener('abort', () => end(null), { once: true })
      this.#calls.set(channelId, (event) => {
        if (event.type === 'ringing') progress(testWords.ringing)
        else if (event.type === 'answered') {
          progress(testWords.answered)
          hangUp = setTimeout(() => void connection.hangUp(channelId), listenMs / speed)
        } else if (event.type === 'hungUp') end(event)
      })
    })
  }

  /** Takes no more events after its end, however late they come. */
  async #report(
    test: TrunkTest,
    state: { progress: string | null; passed: boolean | null; result: string | null },
  ): Promise<void> {
    const { deps, holder, log } = this.#context
    await reportTest(deps.pool, holder.lease, { id: test.id, ...state }).catch((error: unknown) =>
      log.error({ error, testId: test.id }, 'the result of a test could not be reported'),
    )
  }
}
