import { setTimeout as sleep } from 'node:timers/promises'

type Waiting = {
  /** Two minutes unless said. */
  timeoutMs?: number
  pollMs?: number
  /** What the error says besides, such as the states of campaigns. */
  story?: () => Promise<unknown>
  /** Done in every round, before the time is looked at. */
  meanwhile?: (() => unknown) | undefined
}

/** Asks again and again, and gives the first answer that is neither false nor null. In vain, it fails and says what it waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | null> | T | false | null,
  { timeoutMs = 120_000, pollMs = 50, story, meanwhile }: Waiting = {},
): Promise<T> {
  for (const deadline = performance.now() + timeoutMs; ; await sleep(pollMs)) {
    const answer = await ask()
    if (answer !== false && answer !== null) return answer
    await meanwhile?.()
    if (performance.now() > deadline)
      throw new Error(`${what}: not in time${story ? `, ${JSON.stringify(await story())}` : ''}`)
  }
}
