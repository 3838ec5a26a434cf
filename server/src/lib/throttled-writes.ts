import type { Logger } from 'pino'

const everyMs = 500

/** Writes a figure that grows, not more often than twice a second and never two at once; what is under way is awaited at the end. */
export function throttledWrites(write: (figure: number) => Promise<void>, log: Logger) {
  let writing: Promise<void> | null = null
  let writtenAt = -Infinity
  return {
    tell(figure: number): void {
      const now = performance.now()
      if (writing || now - writtenAt < everyMs) return
      writtenAt = now
      writing = write(figure)
        .catch((error: unknown) => log.warn({ error }, 'progress was not written'))
        .finally(() => (writing = null))
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await writing
    },
  }
}
