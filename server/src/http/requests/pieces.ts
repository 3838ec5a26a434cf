import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** A shorter piece costs its sender a few bytes, and this process as much work as a long one. */
const shortPiece = 128
/** No program that we know of sends as many in a request. */
const shortPiecesMax = 4096

/**
 * Disconnects whoever sends a body in very many very short pieces (Transfer-Encoding: chunked): of single bytes, six megabytes would hold this process for
 * seconds. What was refused without being read counts as well.
 */
export function refuseShortPieces({ server }: { server: Server }): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['transfer-encoding'] === undefined) return
    let short = 0
    const { push } = request
    request.push = (piece: Buffer | null, ...encoding) => {
      if (piece !== null && piece.length < shortPiece && (short += 1) > shortPiecesMax) {
        request.socket.destroy()
        return false
      }
      return push.call(request, piece, ...encoding)
    }
    // Otherwise Node drops what nobody reads before it can be counted.
    response.prependListener('finish', () => {
      if (request.complete) return
      request.on('data', () => undefined)
      request.read(0)
    })
  })
}
