import * as path from 'node:path'

const compiled = process.env['NODE_COMPILE_CACHE']

/**
 * The environment of a server or command that a test starts as in production: only the path to Node, and Node's compile cache, without which
 * each process would compile the whole server again.
 */
export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH: path.dirname(process.execPath),
  ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
}
