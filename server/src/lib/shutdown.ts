type Step = { name: string; limitMs: number; run: () => unknown }

const limitMsDefault = 5000

/** Ends parts of a process in the reverse order of their start. A step that fails or exceeds its limit does not stop the others. */
export class Shutdown {
  readonly #steps: Step[] = []

  add(name: string, run: () => unknown, limitMs = limitMsDefault): void {
    this.#steps.push({ name, limitMs, run })
  }

  /** Whether every step succeeded in time. */
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
