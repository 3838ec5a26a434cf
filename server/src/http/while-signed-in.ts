import { Readable } from 'node:stream'

const lookEveryMs = 1000

/**
 * What is sent as long as its reader is signed in, looked at once a second: a download may take minutes, and accounts are disabled meanwhile. It
 * breaks off then, so that nobody takes a part for the whole.
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
