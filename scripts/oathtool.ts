/** Debian's oathtool, the other side of authenticator codes in a test. */
import { spawnSync } from 'node:child_process'
import { installPackage } from './debian.ts'

const isThere = (): boolean => spawnSync('oathtool', ['--version']).status === 0

/** Throws one line that names the package when it is not there and cannot be installed. */
export function requireOathtool(): string {
  if (!isThere() && !(installPackage('oathtool') && isThere()))
    throw new Error('the test of authenticator codes needs oathtool: apt-get install oathtool')
  return 'oathtool'
}
