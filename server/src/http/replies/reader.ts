import type { ServerResponse } from 'node:http'

const lookEveryMs = 1000

/** A reader that takes none of the bytes that wait for it for this long is disconnected. */
export const readerStalledMs = 60_000

/**
 * Looks once a second at whoever reads a reply that takes its time, and breaks the connection off when the reader takes nothing any more, or
 * may not have it any more: a download may take minutes, and its account may be disabled meanwhile. It looks by the clock, because a
 * reader who stops reading stops everything else. Nobody can mistake the part that was sent for the whole.
 */
export function watchReader(response: ServerResponse, mayRead?: () => Promise<boolean>): void {
  let taken = takenOf(response)
  let takenAt = performance.now()
  let isAsking = false
  const look = async (): Promise<void> => {
    const now = performance.now()
    const before = taken
    taken = takenOf(response)
    if (response.writableLength === 0 || taken !== before) takenAt = now
    else if (now - takenAt >= readerStalledMs) return void response.destroy()
    if (!mayRead || isAsking) return
    isAsking = true
    const may = await mayRead().finally(() => (isAsking = false))
    if (!may) response.destroy()
  }
  const timer = setInterval(() => void look(), lookEveryMs)
  response.once('close', () => clearInterval(timer))
}

/** The bytes that the operating system has taken, which holds little more than it can send. */
function takenOf({ socket }: ServerResponse): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0
}
