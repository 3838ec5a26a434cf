/**
 * How far SQL is from what can be read: at most 100 characters a line, a statement of at most 80 lines, one column or condition a line unless the whole
 * clause fits in its line, parameters by name. `scripts/sql-style.json` has how often each file still departs from it; the numbers only fall:
 *
 *     node scripts/sql-style.ts        writes those that fell
 */
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { ownValue } from '@ghanti/contract/own-values.ts'

const root = path.resolve(import.meta.dirname, '..')
const store = path.join(import.meta.dirname, 'sql-style.json')
const widthMax = 100
const statementMax = 80

/** `wide`: lines. `packed`: lines with several columns or conditions of a clause of several lines. `tall`: lines above 80. `numbered`: uses of $1 and the like. */
export type Faults = { wide: number; packed: number; tall: number; numbered: number }
const kinds = ['wide', 'packed', 'tall', 'numbered'] as const

/** `file` says whether the text is SQL or a module with SQL in its templates. */
export function faultsIn(file: string, text: string): Faults {
  const isModule = file.endsWith('.ts')
  const parts = isModule ? [...text.matchAll(/`((?:[^`\\]|\\.)*)`/g)].map((match) => match[1] ?? '') : [text]
  const statements = parts.flatMap(statementsOf)
  const lines = statements.flatMap((statement) => packedLines(statement))
  return {
    wide: text.split('\n').filter((line) => [...line].length > widthMax && !line.startsWith('import ')).length,
    packed: lines.length,
    tall: statements.reduce((sum, statement) => sum + Math.max(0, codeOf(statement).length - statementMax), 0),
    numbered: parts.reduce((sum, part) => sum + [...part.matchAll(/\$\d+/g)].length, 0),
  }
}

/** A function is as many statements as end in it. */
const statementsOf = (text: string): string[] => text.split(/;[ \t]*(?:--.*)?$/m)

/** Its lines without comments, texts and what is in brackets within a line. */
function codeOf(statement: string): string[] {
  return statement
    .split('\n')
    .map((line) => bare(line))
    .filter((line) => line.trim() !== '')
}

function bare(line: string): string {
  let rest = line.replaceAll(/'[^']*'/g, "''").replace(/--.*$/, '')
  for (let before = ''; before !== rest;) {
    before = rest
    rest = rest.replaceAll(/\([^()]*\)|\[[^[\]]*\]/g, '_')
  }
  return rest.replaceAll(/\bbetween\s+\S+\s+and\b/gi, 'between').trimEnd()
}

/** Lines that hold more than one part of a clause which goes on in another line. */
function packedLines(statement: string): string[] {
  const lines = codeOf(statement)
  return lines.filter((line, at) => {
    const next = lines[at + 1]?.trim() ?? ''
    const columns = line.trim().endsWith(',') && /,\s*\S/.test(line)
    const goesOn = /^(?:and|or)\b/i.test(next) || /^(?:and|or)\b/i.test(line.trim())
    const conditions = goesOn && /\s(?:and|or)\s/i.test(line.trim().replace(/^(?:and|or)\b/i, '_'))
    return columns || conditions
  })
}

export function sqlFiles(): string[] {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '*.sql', '*.sql.ts']
  return execFileSync('git', listed, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && fs.existsSync(path.join(root, file)))
}

export const faultsNow = (file: string): Faults => faultsIn(file, fs.readFileSync(path.join(root, file), 'utf8'))

export type Allowed = Record<string, Faults>
export function allowedFaults(): Allowed {
  const stored: Allowed = JSON.parse(fs.readFileSync(store, 'utf8'))
  return stored
}

const none: Faults = { wide: 0, packed: 0, tall: 0, numbered: 0 }

/** What a file departs from more often than is allowed, or less often than is written down. */
export function changesOf(file: string, now: Faults, allowed: Allowed): string[] {
  const before = ownValue(allowed, file) ?? none
  return kinds
    .filter((kind) => now[kind] !== before[kind])
    .map((kind) => `${file}: ${kind} ${now[kind]}, allowed ${before[kind]}`)
}

if (import.meta.main) {
  const allowed = fs.existsSync(store) ? allowedFaults() : null
  const lowered: Allowed = {}
  for (const file of sqlFiles()) {
    const now = faultsNow(file)
    const before = allowed ? (ownValue(allowed, file) ?? none) : now
    const least = { ...none }
    for (const kind of kinds) least[kind] = Math.min(now[kind], before[kind])
    if (kinds.some((kind) => least[kind] > 0)) lowered[file] = least
  }
  fs.writeFileSync(store, `${JSON.stringify(lowered, null, 2)}\n`)
}
