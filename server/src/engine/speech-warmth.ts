import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { FilesDriver } from '../drivers/files/driver.ts'
import { SpeechDownError } from '../drivers/tts/driver.ts'
import { speakAgain, type SpeechDeps } from '../modules/speech/actions.ts'
import type { Plan, Sound } from './plan.ts'
import { doubled } from './retry.ts'
import { campaignSounds } from './speech.sql.ts'
import type { Queryable } from './statement.ts'
import type { PromptFault, Prompts, Warmth } from './warmth.ts'
import { words } from './words.ts'

export type SpeechWarmthOptions = {
  warmth: Warmth
  pool: Queryable
  files: FilesDriver
  speech: SpeechDeps
  log: Logger
  clock: Clock
  dialerName(): string
  timeScale(): number
}

const lookAgainMs = 50
const lostAgainMs = 5000
const stillMs = 1000

/** A sound that the dialer cannot play, in a sentence. */
export class SoundFault extends Error {}

/**
 * Are all sounds that a campaign's rows say on the dialer? Tens of thousands are asked for once, not with every tick. A campaign is
 * - unknown: its sounds are being looked up, and those whose file is lost are spoken again
 * - at fault: one is lost for good, or cannot be spoken now; looked up again, with back-off, as long as the campaign asks for it
 * - being brought: its sounds are asked for     - there: nothing of it is kept
 */
export class SpeechWarmth {
  readonly #options: SpeechWarmthOptions
  #there = new WeakSet<Plan>()
  readonly #bringing = new WeakMap<Plan, Sound[]>()
  readonly #looking = new WeakSet<Plan>()
  /** By campaign: a plan that is loaded anew does not begin anew. */
  readonly #faults = new Map<number, PromptFault & { failures: number }>()
  #generation = -1

  constructor(options: SpeechWarmthOptions) {
    this.#options = options
  }

  /** Of its prompts, and of all that its rows say with `rowsToo`. What is missing is brought to the dialer. */
  promptsOf(plan: Plan, rowsToo: boolean): Prompts {
    const prompts = this.#options.warmth.of(plan.sounds.values())
    const isAll = prompts !== 'there' || !rowsToo || plan.flow.spoken.length === 0 || plan.unspoken > 0
    return isAll ? prompts : this.#speechOf(plan)
  }

  /** Resolves when the dialer can play them; rejects with SoundFault when it cannot, and as `still` does, which is asked every second. */
  async bring(sounds: readonly Sound[], still: () => Promise<void>): Promise<void> {
    for (let askedAt = performance.now(); ;) {
      const found = this.#options.warmth.of(sounds)
      if (found === 'there') return
      if (found !== 'coming') throw this.#faultOf(found)
      await sleep(lookAgainMs)
      if (performance.now() - askedAt < stillMs) continue
      askedAt = performance.now()
      await still()
    }
  }

  /** Something of it was not heard. */
  forget(plan: Plan): void {
    this.#there.delete(plan)
    this.#bringing.delete(plan)
  }

  #faultOf({ prompt, reason, retryAt }: PromptFault): SoundFault {
    const { dialerName, clock } = this.#options
    return new SoundFault(words.promptFault(prompt, dialerName(), reason, retryAt, clock.now()))
  }

  #speechOf(plan: Plan): Prompts {
    const { warmth } = this.#options
    if (warmth.generation !== this.#generation) {
      this.#generation = warmth.generation
      this.#there = new WeakSet()
    }
    if (this.#there.has(plan)) return 'there'
    const sounds = this.#bringing.get(plan)
    if (!sounds) {
      const fault = this.#faults.get(plan.campaignId)
      if (!fault || fault.retryAt <= this.#options.clock.now()) this.#look(plan)
      return fault ?? 'coming'
    }
    const found = warmth.of(sounds)
    if (found === 'there') {
      this.#bringing.delete(plan)
      this.#there.add(plan)
    }
    return found
  }

  #look(plan: Plan): void {
    if (this.#looking.has(plan)) return
    this.#looking.add(plan)
    const { campaignId } = plan
    this.#soundsOf(campaignId)
      .then((sounds) => {
        this.#bringing.set(plan, sounds)
        this.#faults.delete(campaignId)
      })
      .catch((error: unknown) => {
        this.#options.log.error({ error, campaignId }, 'the sounds of a campaign are not to be had, tried again')
        if (error instanceof LostSounds) this.#failed(campaignId, error)
      })
      .finally(() => this.#looking.delete(plan))
  }

  /** Rejects with LostSounds when some are lost and cannot be made again. */
  async #soundsOf(campaignId: number): Promise<Sound[]> {
    const { pool, files, speech, log } = this.#options
    const { sounds, lost } = await campaignSounds(pool, files, campaignId)
    const [first] = lost
    if (!first) return sounds
    const gone = await speakAgain(speech, lost).catch((error: unknown) => {
      if (error instanceof SpeechDownError)
        throw new LostSounds(first.text, `the speech engine does not answer: ${error.message}`)
      throw error
    })
    for (const [text, why] of gone) throw new LostSounds(text, why)
    log.warn({ campaignId, lost: lost.length }, 'lost sounds of a campaign were spoken again')
    const again = await campaignSounds(pool, files, campaignId)
    for (const { text } of again.lost) throw new LostSounds(text, 'its file is not there')
    return again.sounds
  }

  #failed(campaignId: number, { text, message }: LostSounds): void {
    const { clock, timeScale } = this.#options
    const failures = this.#faults.get(campaignId)?.failures ?? 0
    const retryAt = new Date(clock.now().getTime() + doubled(lostAgainMs, failures) * timeScale())
    const reason = `its sound is lost: ${message}`
    this.#faults.set(campaignId, { prompt: `‘${text}’`, reason, retryAt, failures: failures + 1 })
  }
}

/** `message`: why one cannot be made again. */
class LostSounds extends Error {
  readonly text: string
  constructor(text: string, message: string) {
    super(message)
    this.text = text
  }
}
