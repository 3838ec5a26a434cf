/** Input of the operator's commands, typed or from files: never arguments, which others on the machine can read. */
import * as fs from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { wordsAtHand, type NamesAtHand } from '@ghanti/contract/passwords.ts'
import { passwordMin } from '@ghanti/contract/values.ts'
import type { Config } from './config.ts'
import { passphraseMin } from './db/backup/backup-encryption.ts'
import { passwordFaultTexts } from './modules/auth/actions-passwords.ts'
import { strengthChecker } from './modules/auth/worker-strength.ts'

type Ask = (question: string) => Promise<string>

/** Asks without showing the answers; piped input answers line by line. */
async function hidden<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: mute, terminal: process.stdin.isTTY })
  const noAnswer = new Promise<never>((_, fail) => lines.once('close', () => fail(new Error('no answer was typed'))))
  noAnswer.catch(() => {})
  try {
    return await work(async (question) => {
      if (process.stdin.isTTY) process.stdout.write(question)
      const line = await Promise.race([lines.question(''), noAnswer])
      if (process.stdin.isTTY) process.stdout.write('\n')
      return line
    })
  } finally {
    lines.close()
  }
}

/** Typed twice, or the first line of piped input. `names`: what others know of the account. */
export function readPassword(names: NamesAtHand = {}): Promise<string> {
  return hidden(async (ask) => {
    const password = await ask('Password: ')
    if (password.length < passwordMin) throw new Error(`the password must have at least ${passwordMin} characters`)
    const fault = strengthChecker()(password, wordsAtHand(names))
    if (fault !== null) throw new Error(`the password ${passwordFaultTexts[fault]}`)
    if (process.stdin.isTTY && (await ask('Again: ')) !== password) throw new Error('the two are not the same')
    return password
  })
}

/** The passphrase of a new backup; null: it is not encrypted. */
export function backupPassphrase(config: Config, file: string | undefined): string | null {
  return file === undefined ? config.backupPassphrase : firstLineOf(file)
}

export async function restorePassphrase(config: Config, file: string | undefined): Promise<string> {
  return backupPassphrase(config, file) ?? (await hidden((ask) => ask('Passphrase of the backup: ')))
}

function firstLineOf(file: string): string {
  const line = fs.readFileSync(file, 'utf8').split(/\r?\n/, 1)[0] ?? ''
  if (line.length < passphraseMin)
    throw new Error(`the first line of ${file} must be a passphrase of at least ${passphraseMin} characters`)
  return line
}
