import { Readable } from 'node:stream'

const lookEveryMs = 1000

/**
 * A stream that ends when its reader's session does. It checks the session once a second, because a download may take minutes and the account may be
 * disabled meanwhile. It then ends with an error, so that nobody mistakes a partial file for a complete one.
 */
export function whileSignedIn(source: Readable, isSignedIn: () => Promise<boolean>): Readable {
  async function* chunks(): AsyncGenerator<unknown> {
    let lookedAt = performance.now()
    for await (const chunk of source) {
      if (performance.now() - lookedAt >= lookEveryMs) {
        if (!(await isSignedIn())) throw new Error('the session ended before the file was sent')
        lookedAt = performance.now()
      }
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}
