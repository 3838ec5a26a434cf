import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { FilesDriver } from '../drivers/files/driver.ts'
import type { Plan, Sound } from './plan.ts'
import { campaignSounds } from './speech.sql.ts'
import type { Queryable } from './statement.ts'
import type { PromptFault, Prompts, Warmth } from './warmth.ts'
import { words } from './words.ts'

export type SpeechWarmthOptions = {
  warmth: Warmth
  pool: Queryable
  files: FilesDriver
  log: Logger
  clock: Clock
  dialerName(): string
}

const lookAgainMs = 50
const stillMs = 1000

/** A sound that the dialer cannot play, in a sentence. */
export class SoundFault extends Error {}

/**
 * Are all sounds that a campaign's rows say on the dialer? Tens of thousands are asked for once, not with every tick. A campaign is
 * - unknown: its sounds are being looked up     - being brought: its sounds are asked for     - there: nothing of it is kept
 */
export class SpeechWarmth {
  readonly #options: SpeechWarmthOptions
  #there = new WeakSet<Plan>()
  readonly #bringing = new WeakMap<Plan, Sound[]>()
  readonly #looking = new WeakSet<Plan>()
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
      this.#look(plan)
      return 'coming'
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
    const { log, pool, files } = this.#options
    const { campaignId } = plan
    campaignSounds(pool, files, campaignId)
      .then((sounds) => this.#bringing.set(plan, sounds))
      .catch((error: unknown) =>
        log.error({ error, campaignId }, 'the sounds of a campaign could not be looked up, tried again'),
      )
      .finally(() => this.#looking.delete(plan))
  }
}
