/** The regular expressions in the product's sources, and how their running time grows with the input. */
import { createRequire } from 'node:module'
import { parseSync } from 'oxc-parser'
import type { checkSync } from 'recheck'

export type Expression = { file: string; line: number; pattern: string; flags: string }
/** 1 is linear, 2 quadratic. Unknown: the checker cannot analyse it, and the product can do without it. */
export type Growth = number | 'exponential' | 'unknown'

type Checker = { checkSync: typeof checkSync }
const load = createRequire(import.meta.url)
/**
 * The JavaScript version, which runs everywhere; by default the package would pick a native program that exists only for some machines. It is
 * large, so whoever needs it loads it.
 */
const recheck = (): Checker => load('recheck/lib/browser.js') as Checker

type Node = { type: string; start: number; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

function* nodesBelow(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesBelow(child)
}

/** A source's literals, and the lines that build an expression at run time, which cannot be analysed beforehand. */
export function expressionsIn(file: string, text: string): { literals: Expression[]; built: string[] } {
  const literals: Expression[] = []
  const built: string[] = []
  const program: unknown = parseSync(file, text).program
  for (const node of isNode(program) ? nodesBelow(program) : []) {
    const line = (): number => text.slice(0, node.start).split('\n').length
    const { regex, callee } = node
    if (typeof regex === 'object' && regex !== null && 'pattern' in regex && 'flags' in regex)
      literals.push({ file, line: line(), pattern: String(regex.pattern), flags: String(regex.flags) })
    if (isNode(callee) && (callee['name'] ?? (isNode(callee['property']) && callee['property']['name'])) === 'RegExp')
      built.push(`${file}:${line()}`)
  }
  return { literals, built }
}

/**
 * Counting settles most patterns at once; `recheck` takes seconds for some others. `allowed`: up to this growth the bound suffices. Limits
 * are of size, not of time, so the result does not depend on the machine.
 */
export function growthOf({ pattern, flags }: Pick<Expression, 'pattern' | 'flags'>, allowed = 1): Growth {
  const bound = countedGrowth(pattern, flags)
  if (bound !== null && bound <= allowed) return bound
  try {
    const found = recheck().checkSync(pattern, flags, { checker: 'automaton', timeout: null })
    if (found.status === 'unknown') return 'unknown'
    if (found.complexity.type === 'exponential') return 'exponential'
    return found.complexity.type === 'polynomial' ? found.complexity.degree : 1
  } catch {
    return 'unknown' // a pattern too large for its stack
  }
}

const tokenForm =
  /\\p\{[^}]*\}|\\u\{[^}]*\}|\\u\w{4}|\\x\w\w|\\.|\[(?:\\.|[^\]\\])*\]|\(\?:|[*+?]\??|\{\d+,?\d*\}\??|./giu
const repeatMax = 64

/**
 * An upper bound of the growth in simple cases: a chain in which only single characters or classes are repeated without limit. A repetition
 * multiplies when it can end in several places, that is, when what follows may also be part of it. Null: not a simple case.
 */
export function countedGrowth(pattern: string, flags: string): number | null {
  if (/[mv]/.test(flags) || /\(\?[^:]|\\[1-9kPp]/.test(pattern)) return null
  const tokens = pattern.match(tokenForm) ?? []
  let depth = 0
  let loops = 0
  let multiplying = 0
  let scansAfter = false
  for (const [at, token] of tokens.entries()) {
    if (token.startsWith('(')) depth++
    if (token === ')') depth--
    if (token === '|' && depth === 0) return null
    const most = repeatsOf(token)
    if (most === null || most === 1) continue
    if (tokens[at - 1] === ')' || (most !== Infinity && most > repeatMax)) return null
    if (most !== Infinity) continue
    loops++
    const end = endOf(tokens, at, flags)
    if (end === 'many') multiplying++
    scansAfter = end === 'one' || (end === 'many' ? false : scansAfter)
  }
  const anchored = tokens[0] === '^'
  return Math.max(1, multiplying + (scansAfter ? 1 : 0)) + (anchored || loops === 0 ? 0 : 1)
}

/** How often a quantifier matches at most; null when it is not one. */
function repeatsOf(token: string): number | null {
  if (/^[*+]/.test(token)) return Infinity
  if (/^\?\??$/.test(token)) return 1
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(token) ?? []
  if (least === undefined) return null
  return comma === '' ? Number(least) : most === '' ? Infinity : Number(most)
}

/** Where a repetition can end so that the rest may match. */
function endOf(tokens: readonly string[], at: number, flags: string): 'anywhere' | 'one' | 'many' {
  const repeated = tokens[at - 1] ?? ''
  let next = at + 1
  while (tokens[next] === ')') next++
  const follows = tokens[next]
  if (follows === undefined) return 'anywhere'
  if (follows === '$') return repeated === '.' && flags.includes('s') ? 'anywhere' : 'one'
  const literal = /^[^\\[\](){}.*+?^$|]$|^\\[^\w]$/.test(follows) ? follows.slice(-1) : null
  const optional = /^(\?|\*|\{0)/.test(tokens[next + 1] ?? '')
  if (literal === null || optional) return 'many'
  return new RegExp(`^${repeated}$`, flags.replace(/[gy]/g, '')).test(literal) ? 'many' : 'one'
}
