import * as path from 'node:path'

const compiled = process.env['NODE_COMPILE_CACHE']

/**
 * The environment of a server or command that a test starts as in production: nothing of ours but where Node is, and where it keeps what
 * it compiled, without which each process strips and compiles the whole server anew.
 */
export const bareEnvironment: Readonly<Record<string, string>> = {
  PATH: path.dirname(process.execPath),
  ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }),
}
