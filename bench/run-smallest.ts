import { execFile } from 'node:child_process'
import * as path from 'node:path'
import { promisify } from 'node:util'

const root = path.resolve(import.meta.dirname, '..')

/** Runs a bench at its smallest size and returns its output; throws with the output when it failed or timed out. */
export async function runSmallest(name: string, timeoutMs = 240_000): Promise<string> {
  const script = path.join(root, 'bench', `${name}.ts`)
  const options = { cwd: root, timeout: timeoutMs, env: { ...process.env, NODE_ENV: 'production' } }
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--smallest'], options)
    return stdout + stderr
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    throw new Error(`bench/${name} failed and printed: ${stdout ?? ''}`, { cause: error })
  }
}
