import { readFile } from 'node:fs/promises'
import { isSvg, logoOf } from './rules-logo.ts'
import type { LogoEnd } from './worker.ts'

export async function read({ path }: { path: string }): Promise<LogoEnd> {
  const bytes = await readFile(path)
  if (bytes.length === 0) return { kind: 'refused', code: 'empty', why: 'is empty' }
  const found = logoOf(bytes)
  if (!found) return { kind: 'foreign', type: isSvg(bytes) ? 'image/svg+xml' : 'application/octet-stream' }
  if ('wrong' in found) return { kind: 'refused', code: 'not_readable', why: found.wrong }
  return { kind: 'picture', type: found.type }
}
