import { setImmediate as turn } from 'node:timers/promises'

/**
 * The same pieces in the same order; while one is worked on the next is read already, never more. A failure comes when its piece is due, and whoever
 * stops early stops the source.
 */
export async function* oneAhead<Piece>(pieces: AsyncGenerator<Piece, void, void>): AsyncGenerator<Piece, void, void> {
  const read = () => {
    const reading = pieces.next()
    reading.catch(() => {}) // thrown below, when it is due
    return reading
  }
  try {
    let reading = read()
    for (;;) {
      const piece = await reading
      if (piece.done) return
      reading = read()
      await turn() // what it asks is on its way before somebody computes
      yield piece.value
    }
  } finally {
    await pieces.return()
  }
}
