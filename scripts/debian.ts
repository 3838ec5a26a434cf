/** Debian packages which tests need: installed when missing and we may. */
import { execFileSync } from 'node:child_process'

/** False: not root, no Debian, or no way to its mirrors; the caller says what is missing. */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-q'], { env, stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', name], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
