import { setImmediate as turn } from 'node:timers/promises'

/** Reads one piece while another is processed, never more. A failure is thrown when its piece is due. Ending early also ends the source. */
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
      await turn() // lets the next read start before a long computation
      yield piece.value
    }
  } finally {
    await pieces.return()
  }
}
