/** Installs Debian packages that tests need, when missing and permitted. */
import { execFileSync } from 'node:child_process'

/** False without root, Debian or a route to its mirrors; the caller says what is missing. */
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
