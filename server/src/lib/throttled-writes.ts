import type { Logger } from 'pino'

const everyMs = 500

/** Writes a growing figure at most twice a second, and never twice at once. Its end waits for the write under way. */
export function throttledWrites(write: (figure: number) => Promise<void>, log: Logger) {
  let writing: Promise<void> | null = null
  let writtenAt = -Infinity
  return {
    report(figure: number): void {
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
