import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { ChannelEvent, DialerConnection, HungUp } from '../drivers/telephony/driver.ts'
import { testChannel } from './channel-names.ts'
import { told, trunkName } from './line-data.ts'
import type { Lines, TrunkNow } from './lines.ts'
import { releaseFromTest, takeForTest } from './numbers.sql.ts'
import type { Polls } from './polls.ts'
import { takeTests, tellTest, type AskedTest } from './state.sql.ts'
import type { Lease } from './statement.ts'
import type { Switchboard } from './switchboard.ts'
import { testWords, verdictOf, type Verdict } from './trunk-test-words.ts'

export type TrunkTestsOptions = {
  pool: Pool
  log: Logger
  lease: Lease
  lines: Lines
  switchboard: Switchboard
  channelPrefix: string
  polls: Polls
  /** Null: no call may begin there now. */
  line(): DialerConnection | null
  down(): string | null
  /** A test call over the trunk passed. */
  passed(trunkId: number): void
  /** A test call over the trunk is over. */
  ended(trunkId: number, leg: HungUp): void
}

/** How long a test call rings, and how long it lasts once somebody is there. */
const ringMs = 45_000
const listenMs = 5000
/** Never longer than this from its answer, whatever becomes of us. */
const talkMsMax = 15_000
const deadlineMs = 1000
/** For the calls per second; a person waits. */
const turnMsMax = 5000
const turnEveryMs = 20
/** For a trunk that was made or changed a moment ago. */
const setUpMs = 2000
const graceMs = 10_000
/** A test number rings no more often than this, whatever campaigns meet. */
const numberEveryMs = 60_000
const running = { passed: null, result: null }

/**
 * What super admins ask of the dialer's trunks, each done once and by whoever holds the lease: taken in the database before anything rings. A test
 * call is no campaign's: nobody pays for it, but it takes a channel and its turn like any other.
 */
export class TrunkTests {
  readonly #options: TrunkTestsOptions
  readonly #calls = new Map<string, (event: ChannelEvent) => void>()
  readonly #ending = new AbortController()
  /** Calls to test numbers that nobody asked for: how many, and by trunk when the last one began. */
  #unasked = 0
  readonly #numberCalledAt = new Map<number, number>()

  constructor(options: TrunkTestsOptions) {
    this.#options = options
  }

  async round(): Promise<void> {
    const { pool, lease, lines, polls } = this.#options
    if (!(await polls.tests.ask(lease.dialerId))) return
    const tests = await takeTests(pool, lease)
    if (tests.length > 0) {
      // as they are now: those of an idle dialer are read now and then only
      const { dialer, trunks } = await polls.worlds.readLines(lease.dialerId)
      if (dialer) lines.update(dialer, trunks)
    }
    for (const test of tests) void this.#run(test)
  }

  /** False: it is no test call's. */
  deliver(event: Exclude<ChannelEvent, { type: 'recordingEnded' }>): boolean {
    const listener = this.#calls.get(event.channelId)
    listener?.(event)
    return listener !== undefined
  }

  close(): void {
    this.#ending.abort()
  }

  async #run(test: AskedTest): Promise<void> {
    const { lease, log, line, down } = this.#options
    const connection = line()
    const trunk = await this.#trunkOf(test)
    let verdict: Verdict
    try {
      if (!trunk) verdict = { passed: false, result: testWords.gone }
      else if (!connection) verdict = { passed: false, result: testWords.dialerDown(down()) }
      else if (trunk.fault) verdict = { passed: false, result: testWords.failed(trunk.fault) }
      else if (test.kind === 'ping') verdict = await this.#ping(connection, trunk)
      else verdict = await this.#alone(test, () => this.#call(connection, test))
    } catch (error) {
      log.error({ error, testId: test.id, epoch: lease.epoch }, 'a test of a trunk failed')
      verdict = { passed: false, result: testWords.failed(error instanceof Error ? error.message : String(error)) }
    }
    const result = trunk ? told(verdict.result, trunk) : verdict.result
    await this.#tell(test, { progress: null, passed: verdict.passed, result })
  }

  /** As its dialer knows it, once it had time to be told. */
  async #trunkOf(test: AskedTest): Promise<TrunkNow | null> {
    for (const until = performance.now() + setUpMs; ; await sleep(turnEveryMs)) {
      const trunk = this.#options.lines.trunk(test.trunk_id)
      if (trunk?.isSet || performance.now() > until || this.#ending.signal.aborted) return trunk
    }
  }

  async #ping(connection: DialerConnection, trunk: { id: number }): Promise<Verdict> {
    const reply = await connection.optionsPing(trunkName(trunk.id))
    return reply.reachable
      ? { passed: true, result: testWords.reachable(reply.roundTripMs) }
      : { passed: false, result: testWords.unreachable(reply.reason) }
  }

  /** While no other call to its number is under way, and none begins. */
  async #alone(test: AskedTest, call: () => Promise<Verdict>): Promise<Verdict> {
    const { pool, lease, log } = this.#options
    const phone = test.phone ?? 0
    if (!(await takeForTest(pool, lease, phone, test.id))) return { passed: false, result: testWords.numberBusy }
    try {
      return await call()
    } finally {
      await releaseFromTest(pool, phone, test.id).catch((error: unknown) =>
        log.error({ error, testId: test.id }, 'the number of a test stays busy for three minutes'),
      )
    }
  }

  async #call(connection: DialerConnection, test: AskedTest): Promise<Verdict> {
    const { lines, switchboard, channelPrefix, lease, passed, ended } = this.#options
    const trunkId = test.trunk_id
    const obstacle = await this.#turn(trunkId)
    if (obstacle !== null) return { passed: false, result: obstacle }
    const channelId = testChannel(channelPrefix, lease.epoch, test.id)
    switchboard.addTest(channelId, trunkId)
    try {
      const leg = this.#watch(connection, channelId, (text) => void this.#tell(test, { progress: text, ...running }))
      const reply = await connection.dial({
        channelId,
        trunk: trunkName(trunkId),
        cli: test.cli ?? '',
        number: `+${test.phone}`,
        ringMs,
        talkMsMax,
        deadlineMs,
      })
      if (reply.outcome === 'notSent' || reply.outcome === 'trunkFault')
        return { passed: false, result: testWords.failed(reply.reason) }
      const end = await leg
      if (end) ended(trunkId, end)
      const verdict = verdictOf(end, lines.rulesOf(trunkId))
      if (verdict.passed) passed(trunkId)
      return verdict
    } finally {
      this.#calls.delete(channelId)
      switchboard.removeTest(channelId)
    }
  }

  /** The trunk's test number, where it has one, is called over it: how that ends says whose fault it is that calls are refused. */
  callNumberOf(trunkId: number, cli: string): void {
    const { line, lines, log } = this.#options
    const phone = lines.testNumberOf(trunkId)
    const connection = line()
    const now = performance.now()
    if (
      phone === null ||
      !connection ||
      now - (this.#numberCalledAt.get(trunkId) ?? -Infinity) < numberEveryMs / connection.speed
    )
      return
    this.#numberCalledAt.set(trunkId, now)
    const id = -++this.#unasked
    this.#call(connection, { id, trunk_id: trunkId, kind: 'call', phone, cli }).then(
      ({ result }) => log.info({ trunkId, result }, 'the test number of a trunk was called'),
      (error: unknown) => log.error({ error, trunkId }, 'the test number of a trunk could not be called'),
    )
  }

  /** Waits for a free channel and its place in the calls per second; why there is none, else null and the place is taken. */
  async #turn(trunkId: number): Promise<string | null> {
    const { lines, line, down } = this.#options
    const until = performance.now() + turnMsMax
    for (;;) {
      if (this.#ending.signal.aborted) return testWords.letGo
      if (!line()) return testWords.dialerDown(down())
      const free = lines.legFree(trunkId)
      if (free && lines.beginsNow(trunkId)) return null
      if (performance.now() > until) return free ? testWords.noTurn : testWords.noChannel
      await sleep(turnEveryMs)
    }
  }

  /** Resolves with the end of the call; null when nobody tells of it. Hung up a while after its answer. */
  #watch(connection: DialerConnection, channelId: string, progress: (text: string) => void): Promise<HungUp | null> {
    const { speed } = connection
    const { signal } = this.#ending
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

  /** After its end nothing more is taken, however late it comes. */
  async #tell(
    test: AskedTest,
    news: { progress: string | null; passed: boolean | null; result: string | null },
  ): Promise<void> {
    const { pool, lease, log } = this.#options
    if (test.id < 0) return // nobody asked for it
    await tellTest(pool, lease, { id: test.id, ...news }).catch((error: unknown) =>
      log.error({ error, testId: test.id }, 'what became of a test could not be told'),
    )
  }
}
