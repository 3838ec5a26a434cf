/** How tests run a script of each client in its own language. */
import { execFile, spawnSync } from 'node:child_process'
import * as path from 'node:path'
import { promisify } from 'node:util'

const clients = path.resolve(import.meta.dirname, '..')

type Language = {
  name: 'Python' | 'PHP'
  ending: string
  command: string
  /** Where a script finds the client. */
  env: Record<string, string>
}

const known: readonly Language[] = [
  {
    name: 'Python',
    ending: 'py',
    command: 'python3',
    env: { PYTHONPATH: path.join(clients, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
  },
  { name: 'PHP', ending: 'php', command: 'php', env: { GHANTI_PHP: path.join(clients, 'php/ghanti.php') } },
]

/** Those whose interpreter is on this machine. */
export const languages = known.filter(({ command }) => spawnSync(command, ['--version']).status === 0)

/** The lines that `clients/testing/{script}` prints. Throws with what it complains about. */
export async function linesOf(language: Language, script: string, args: string[] = []): Promise<string[]> {
  const file = path.join(clients, 'testing', `${script}.${language.ending}`)
  const env = { ...process.env, ...language.env }
  const { stdout } = await promisify(execFile)(language.command, [file, ...args], { env }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new Error(`${script}.${language.ending}: ${stderr}`)
    },
  )
  return stdout.trimEnd().split('\n')
}
