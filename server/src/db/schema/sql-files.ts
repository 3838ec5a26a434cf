import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import * as path from 'node:path'

/** `name`: with its ending. `hash`: the SHA-256 of its text. */
export type SqlFile = { name: string; text: string; hash: string }

/** By name. */
export function sqlFilesIn(folder: string): SqlFile[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = fs.readFileSync(path.join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })
}
