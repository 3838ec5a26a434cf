import type { DialerConnection } from '../../../drivers/telephony/driver.ts'
import type { Sound } from '../../model/calls/plan.ts'
import { doubled } from '../../model/calls/retry.ts'
import { messageOf } from '../../../lib/error-code.ts'
import type { DialerAudio } from './dialer-audio.ts'

/** Whether calls can hear what they are to hear. */
export type Prompts = 'ready' | 'pending' | PromptFault

export type PromptFault = { prompt: string; reason: string; retryAt: Date }

type Of = Pick<DialerAudio, 'clock' | 'log' | 'connection' | 'timeScale'>

/** Keeps the dialer from being flooded when a thousand campaigns go on after its restart; the next sounds wait a second or two. */
const atOnce = 200
const retryMs = 5000

/**
 * Which sounds the dialer has proven that it can play. A sound is
 * - unknown: brought to the dialer as soon as a campaign needs it;
 * - ready;
 * - faulty: tried again, with back-off, as long as a campaign needs it.
 */
export class SoundCache {
  readonly #of: Of
  readonly #promptName: (promptId: number) => Promise<string>
  readonly #ready = new Set<string>()
  readonly #faults = new Map<string, PromptFault & { failures: number }>()
  readonly #wanted = new Map<string, Sound>()
  readonly #asked = new Set<string>()
  #generation = 0
  #working = false

  constructor(of: Of, promptName: (promptId: number) => Promise<string>) {
    this.#of = of
    this.#promptName = promptName
  }

  /** The state of all these sounds together. Missing ones are brought to the dialer. */
  of(sounds: Iterable<Sound>): Prompts {
    const now = this.#of.clock.now()
    let prompts: Prompts = 'ready'
    for (const sound of sounds) {
      if (this.#ready.has(sound.hash)) continue
      const fault = this.#faults.get(sound.hash)
      const isDue = !fault || fault.retryAt <= now
      if (isDue && !this.#asked.has(sound.hash)) this.#wanted.set(sound.hash, sound)
      if (fault) prompts = fault
      else if (prompts === 'ready') prompts = 'pending'
    }
    if (this.#wanted.size > 0) void this.#work()
    return prompts
  }

  has(hash: string): boolean {
    return this.#ready.has(hash)
  }

  get generation(): number {
    return this.#generation
  }

  /** The dialer was replaced or restarted. */
  forget(): void {
    this.#generation += 1
    this.#ready.clear()
    this.#faults.clear()
    this.#wanted.clear()
  }

  /** One of these sounds was not heard: they must be proven again. */
  recheck(sounds: Iterable<Pick<Sound, 'hash'>>): void {
    for (const { hash } of sounds) this.#ready.delete(hash)
  }

  async #work(): Promise<void> {
    if (this.#working) return
    this.#working = true
    try {
      for (
        let connection = this.#of.connection();
        connection && this.#wanted.size > 0;
        connection = this.#of.connection()
      )
        await this.#bring(connection)
    } catch (error) {
      this.#of.log.error({ error }, 'prompts could not be brought to the dialer; trying again')
    } finally {
      this.#working = false
    }
  }

  async #bring(connection: DialerConnection): Promise<void> {
    const wanted = [...this.#wanted.values()]
    const prompts = wanted.filter(({ of }) => typeof of === 'number') // few, and whole campaigns wait for them
    const batch = (prompts.length > 0 ? prompts : wanted).slice(0, atOnce)
    for (const { hash } of batch) {
      this.#wanted.delete(hash)
      this.#asked.add(hash)
    }
    const generation = this.#generation
    const reasons = await this.#prefetch(connection, batch)
    for (const { hash } of batch) this.#asked.delete(hash)
    if (!reasons || generation !== this.#generation) return
    for (const sound of batch) {
      const reason = reasons.get(sound.hash)
      if (reason !== undefined) await this.#failed(sound, reason)
      else {
        this.#ready.add(sound.hash)
        this.#faults.delete(sound.hash)
      }
    }
  }

  /** Why some of the sounds cannot be heard. Null: the dialer went away meanwhile. */
  async #prefetch(connection: DialerConnection, batch: readonly Sound[]): Promise<Map<string, string> | null> {
    try {
      const { failed } = await connection.prefetch(batch)
      return new Map(failed.map(({ hash, reason }) => [hash, reason]))
    } catch (error) {
      if (this.#of.connection() !== connection) return null
      const reason = messageOf(error)
      return new Map(batch.map(({ hash }) => [hash, reason]))
    }
  }

  async #failed({ hash, of }: Sound, reason: string): Promise<void> {
    const { log, clock, timeScale } = this.#of
    const failures = this.#faults.get(hash)?.failures ?? 0
    const prompt = typeof of === 'number' ? await this.#promptName(of) : `‘${of}’`
    const retryAt = new Date(clock.now().getTime() + doubled(retryMs, failures) * timeScale())
    this.#faults.set(hash, { prompt, reason, retryAt, failures: failures + 1 })
    log.warn({ hash, of, reason }, 'a prompt cannot be played by the dialer')
  }
}
