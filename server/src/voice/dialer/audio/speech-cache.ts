import { setTimeout as sleep } from 'node:timers/promises'
import { SpeechDownError } from '../../../drivers/tts/driver.ts'
import { speakAgain, type LostSound } from '../../../modules/speech/actions.ts'
import { FairSemaphore } from '../../../lib/fair-semaphore.ts'
import { allProven, type Proven } from '../../model/campaigns/claim.sql.ts'
import type { Plan, Sound } from '../../model/calls/plan.ts'
import { doubled } from '../../model/calls/retry.ts'
import { Prefetch } from './prefetch.ts'
import { keepSounds, rowsToPrefetch, type RowRead } from './speech.sql.ts'
import type { DialerAudio } from './dialer-audio.ts'
import type { PromptFault, Prompts, SoundCache } from './sound-cache.ts'
import { words } from '../../model/campaigns/words.ts'
import type { CampaignRow } from '../../model/campaigns/snapshot.sql.ts'
import { streamsWithRows, type Stream, type Waiting } from '../../model/campaigns/streams.ts'

const lookAgainMs = 50
const lostAgainMs = 5000
const stillMs = 1000
/** Pages are read slowly, since the ticks of a thousand campaigns come first. */
const pagesAtOnce = 2
const keepingAtOnce = 1

/** The dialer cannot play a sound. The message is a sentence for people. */
export class SoundFault extends Error {}

/**
 * Brings the spoken values of a campaign's next rows to the dialer. It reads these rows in pages, beside the ticks, in the order in which claims take
 * them, and has lost sounds spoken again. A claim takes only rows whose sounds are on the dialer. As long as there are such rows, the campaign
 * dials, although other sounds are still pending or at fault. A sound at fault is lost for good, or cannot be played or spoken now and is tried
 * again with back-off.
 */
export class SpeechCache {
  readonly #of: DialerAudio
  readonly #soundCache: SoundCache
  /** By stream; null where the campaign has one cursor. */
  #ahead = new WeakMap<Plan, Map<number | null, Prefetch>>()
  #generation = -1
  /** Plans of retries, whose sounds are kept as long as they may dial. */
  readonly #kept = new WeakSet<Plan>()
  readonly #missing = new WeakMap<Plan, Set<number>>()
  /** By campaign, so that a plan that is loaded again does not start its back-off again. */
  readonly #faults = new Map<number, PromptFault & { failures: number }>()
  readonly #pages = new FairSemaphore(pagesAtOnce)
  readonly #keeping = new FairSemaphore(keepingAtOnce)
  #closed = false

  constructor(of: DialerAudio, soundCache: SoundCache) {
    this.#of = of
    this.#soundCache = soundCache
  }

  /** The state of the campaign's prompts, and of the values of its next rows once its prompts are ready. Missing sounds are brought to the dialer. */
  promptsOf(plan: Plan, campaign: CampaignRow): Prompts {
    const prompts = this.#soundCache.of(plan.sounds.values())
    const hasRows = campaign.status !== 'processing' && !campaign.retry_requested && plan.flow.spoken.length > 0
    return prompts === 'ready' && hasRows ? this.#rowsOf(plan, campaign) : prompts
  }

  /** How far claims may go, as promptsOf found last. `stream` null: the campaign has one cursor. */
  provenOf(plan: Plan, stream: number | null): Proven {
    return plan.flow.spoken.length === 0 ? allProven : this.#aheadOf(plan, stream).proven
  }

  /** A claim of the stream would find rows. */
  hasProven(plan: Plan, stream: Stream): boolean {
    return plan.flow.spoken.length === 0 || this.#aheadOf(plan, stream.stream).hasProven(stream)
  }

  /** How many values of the campaign's rows have no sound any more. A campaign with such values does not dial. */
  unspokenOf(plan: Plan): number {
    return this.#missing.get(plan)?.size ?? 0
  }

  /** The sounds of a claimed row. Missing ones are brought to the dialer. */
  canPlay(sounds: readonly Sound[]): boolean {
    return this.#soundCache.of(sounds) === 'ready'
  }

  /** Resolves when the dialer can play the sounds. Rejects with SoundFault when it cannot, and like `still`, which is asked every second. */
  async bring(sounds: readonly Sound[], still: () => Promise<void>): Promise<void> {
    for (let askedAt = performance.now(); ;) {
      const found = this.#soundCache.of(sounds)
      if (found === 'ready') return
      if (found !== 'pending') throw this.#faultOf(found)
      await sleep(lookAgainMs)
      if (performance.now() - askedAt < stillMs) continue
      askedAt = performance.now()
      await still()
    }
  }

  /** Some of these sounds were not heard. */
  forget(plan: Plan): void {
    this.#ahead.delete(plan)
  }

  close(): void {
    this.#closed = true
  }

  #faultOf({ prompt, reason, retryAt }: PromptFault): SoundFault {
    const { dialerName, clock } = this.#of
    return new SoundFault(words.promptFault(prompt, dialerName(), reason, retryAt, clock.now()))
  }

  #aheadOf(plan: Plan, stream: number | null): Prefetch {
    const { generation } = this.#soundCache
    if (generation !== this.#generation) {
      this.#generation = generation
      this.#ahead = new WeakMap()
    }
    const byStream = this.#ahead.get(plan) ?? new Map<number | null, Prefetch>()
    this.#ahead.set(plan, byStream)
    const known = byStream.get(stream)
    if (known) return known
    const ahead = new Prefetch()
    byStream.set(stream, ahead)
    return ahead
  }

  /** Ready when the rows of one stream are: the others wait for themselves alone. */
  #rowsOf(plan: Plan, campaign: CampaignRow): Prompts {
    if (!campaign.streams) return this.#rowsOfStream(plan, campaign, null)
    const found = streamsWithRows(campaign.streams).map((rows) => this.#rowsOfStream(plan, rows, rows.stream))
    if (found.includes('ready')) return 'ready'
    return found.find((prompts) => typeof prompts === 'object') ?? 'pending'
  }

  #rowsOfStream(plan: Plan, rows: Waiting, stream: number | null): Prompts {
    const { clock } = this.#of
    const soundCache = this.#soundCache
    const ahead = this.#aheadOf(plan, stream)
    ahead.advance((hash) => soundCache.has(hash))
    const fault = this.#faults.get(plan.campaignId)
    if (ahead.wantsMore(rows) && (!fault || fault.retryAt <= clock.now())) this.#readOn(plan, ahead, stream)
    const unproven = soundCache.of(ahead.unproven())
    if (this.unspokenOf(plan) > 0 || ahead.hasProven(rows)) return 'ready'
    return fault ?? (ahead.isKnown ? unproven : 'pending')
  }

  #readOn(plan: Plan, ahead: Prefetch, stream: number | null): void {
    if (ahead.isReading) return
    ahead.isReading = true
    this.#readPage(plan, ahead, stream)
      .catch(async (error: unknown) => {
        this.#of.log.error({ error, campaignId: plan.campaignId }, 'the values of rows could not be read; trying again')
        await sleep(stillMs)
      })
      .finally(() => (ahead.isReading = false))
  }

  async #readPage(plan: Plan, ahead: Prefetch, stream: number | null): Promise<void> {
    const { campaignId } = plan
    if (plan.isRetry && !this.#kept.has(plan)) await this.#keep(plan)
    if (this.#closed) return
    const read = () => this.#pages.run(() => rowsToPrefetch(this.#of, plan, { stream, from: ahead.read }))
    const found = await read()
    const lost = found.rows.flatMap((row) => row.lost)
    const whys = await this.#sayAgain(campaignId, lost)
    const { rows, freshTo, freshEnd } = lost.length > 0 ? await read() : found
    this.#misses(
      plan,
      rows.flatMap((row) => row.missing),
    )
    const fresh = rows.filter((row) => row.dueUs === null)
    const queue = rows.filter((row) => row.dueUs !== null)
    ahead.add({
      queue: sayable(queue),
      fresh: sayable(fresh),
      freshTo: fresh.find(isUnsayable)?.rowNo ?? freshTo,
      freshEnd,
    })
    const [first] = rows.flatMap((row) => row.lost)
    if (first) this.#failed(campaignId, first.text, whys(first.text) ?? 'its file is not there')
    else this.#faults.delete(campaignId)
  }

  async #keep(plan: Plan): Promise<void> {
    const { pool } = this.#of
    let from: number | null = 0
    while (from !== null && !this.#closed) {
      const at: number = from
      const part = await this.#keeping.run(() => keepSounds(pool, plan.campaignId, at))
      this.#misses(plan, part.missing)
      from = part.next
    }
    this.#kept.add(plan)
  }

  #misses(plan: Plan, missing: readonly number[]): void {
    const known = this.#missing.get(plan) ?? new Set()
    if (missing.length > 0) this.#missing.set(plan, new Set([...known, ...missing]))
  }

  /** Returns why a text cannot be spoken again. */
  async #sayAgain(campaignId: number, lost: readonly LostSound[]): Promise<(text: string) => string | undefined> {
    if (lost.length === 0) return () => undefined
    try {
      const gone = await speakAgain(this.#of.speech, lost)
      this.#of.log.warn({ campaignId, lost: lost.length, gone: gone.size }, 'lost sounds were spoken again')
      return (text) => gone.get(text)
    } catch (error) {
      if (!(error instanceof SpeechDownError)) throw error
      return () => `the speech engine does not answer: ${error.message}`
    }
  }

  #failed(campaignId: number, text: string, why: string): void {
    const { clock, timeScale } = this.#of
    const failures = this.#faults.get(campaignId)?.failures ?? 0
    const retryAt = new Date(clock.now().getTime() + doubled(lostAgainMs, failures) * timeScale())
    this.#faults.set(campaignId, {
      prompt: `‘${text}’`,
      reason: `its sound is lost: ${why}`,
      retryAt,
      failures: failures + 1,
    })
  }
}

const isUnsayable = ({ lost, missing }: RowRead): boolean => lost.length + missing.length > 0

/** The rows before the first one whose values cannot be spoken. */
function sayable(rows: readonly RowRead[]): readonly RowRead[] {
  const at = rows.findIndex(isUnsayable)
  return at < 0 ? rows : rows.slice(0, at)
}
