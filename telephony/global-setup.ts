import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startLocalAsterisk, type LocalAsterisk } from '../server/src/demo/local-asterisk.ts'
import { requireSipp } from './sipp/sipp.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A dialer and a virtual operator for this run only. */
    asterisk: Omit<LocalAsterisk, 'stop'>
  }
}

/** Installs Asterisk from Debian packages, without root; whatever is missing is named in one line. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  requireSipp()
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ghanti-asterisk-'))
  const said: string[] = []
  const say = (line: string): void => void said.push(line)
  const { stop, ...asterisk } = await startLocalAsterisk({ home, freePorts: true, parent: process.pid, say }).catch(
    (error: unknown) => {
      throw new Error(`the telephony tests need Asterisk: ${said.at(-1) ?? String(error)}`, { cause: error })
    },
  )
  project.provide('asterisk', asterisk)
  return async () => {
    await stop()
    fs.rmSync(home, { recursive: true, force: true })
  }
}
