type Step = { name: string; limitMs: number; run: () => unknown }

const limitMsDefault = 5000

/** What to end, in the opposite order of its start. A step that fails or takes longer than its limit does not keep the others from it. */
export class Shutdown {
  readonly #steps: Step[] = []

  add(name: string, run: () => unknown, limitMs = limitMsDefault): void {
    this.#steps.push({ name, limitMs, run })
  }

  /** Did all of it end? */
  async end(log: { error(fields: { error: unknown }, what: string): void }): Promise<boolean> {
    let ended = true
    for (let step = this.#steps.pop(); step; step = this.#steps.pop())
      try {
        await within(step)
      } catch (error) {
        ended = false
        log.error({ error }, `ending ${step.name}`)
      }
    return ended
  }
}

async function within({ run, limitMs }: Step): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not end in ${limitMs} ms and is left as it is`)), limitMs)
  })
  try {
    await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}
