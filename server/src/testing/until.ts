import { real, timeOfFile } from './virtual-time.ts'

type Waiting = {
  /** Two minutes of real time unless said. */
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
  for (const deadline = real.now() + timeoutMs; ; await pass(pollMs)) {
    const answer = await ask()
    if (answer !== false && answer !== null) return answer
    await meanwhile?.()
    if (real.now() > deadline)
      throw new Error(`${what}: not in time${story ? `, ${JSON.stringify(await story())}` : ''}`)
  }
}

/** So much time goes by: at once in a file with virtual time. In real time, what is waited for is named by no event: a peer that stays silent, a kill. */
function pass(ms: number): Promise<void> {
  const time = timeOfFile()
  return time ? time.pass(ms) : real.sleep(ms)
}
