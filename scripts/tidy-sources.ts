import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { parseSync } from 'oxc-parser'

const root = path.resolve(import.meta.dirname, '..')

export type Import = {
  /** From the root for our own files ('server/src/app.ts'), else as written ('kysely', 'node:fs'). */
  target: string
  typeOnly: boolean
}
export type Func = { name: string; line: number; lines: number; isAsync: boolean }
export type Source = {
  file: string
  text: string
  lines: number
  imports: Import[]
  functions: Func[]
  hasDefaultExport: boolean
  /** Nothing but `export ... from`. */
  isBarrel: boolean
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Named functions: declared, assigned, or a method. A callback belongs to the function around it; a test's is a test. */
function functionsOf(program: unknown, lineOf: (at: number) => number): Func[] {
  const found: Func[] = []
  const visit = (node: Node, name: string | null): void => {
    if (functionTypes.has(node.type)) {
      const own = isNode(node['id']) ? String(node['id']['name']) : name
      const line = lineOf(node.start)
      if (own !== null)
        found.push({ name: own, line, lines: lineOf(node.end) - line + 1, isAsync: node['async'] === true })
    }
    for (const [key, value] of Object.entries(node)) {
      const children = Array.isArray(value) ? value : [value]
      for (const child of children) if (isNode(child)) visit(child, nameGivenBy(node, key))
    }
  }
  if (isNode(program)) visit(program, null)
  return found
}

/** The name of a function in `const f = () => {}`, `{ f() {} }` or `class { f() {} }`. */
function nameGivenBy(parent: Node, key: string): string | null {
  const naming = parent.type === 'VariableDeclarator' ? 'id' : 'key'
  const named = {
    VariableDeclarator: 'init',
    Property: 'value',
    MethodDefinition: 'value',
    PropertyDefinition: 'value',
  }[parent.type]
  if (named !== key) return null
  const name = parent[naming]
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : null
}

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(file), specifier)
  const own = /^@ghanti\/(\w+)\/(.*)$/.exec(specifier)
  return own ? `${own[1]}/src/${own[2]}` : specifier
}

function startsOfLines(text: string): number[] {
  return [...text.matchAll(/\n/g)].map((match) => match.index)
}

/** What only a parser knows of a file. */
type Parsed = Omit<Source, 'file' | 'text' | 'lines'>

function parsed(file: string, text: string): Parsed {
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const lineStarts = startsOfLines(text)
  const lineOf = (at: number): number => {
    let low = 0
    for (let high = lineStarts.length; low < high;) {
      const middle = (low + high) >> 1
      if ((lineStarts[middle] ?? Infinity) < at) low = middle + 1
      else high = middle
    }
    return low + 1
  }
  const fromImports = module.staticImports.map((line) => ({
    target: targetOf(file, line.moduleRequest.value),
    typeOnly: line.entries.length > 0 && line.entries.every((entry) => entry.isType),
  }))
  const exported = module.staticExports.flatMap((line) => line.entries)
  const fromExports = exported.flatMap((entry) =>
    entry.moduleRequest ? [{ target: targetOf(file, entry.moduleRequest.value), typeOnly: entry.isType }] : [],
  )
  return {
    imports: [...fromImports, ...fromExports],
    functions: functionsOf(program, lineOf),
    hasDefaultExport: exported.some((entry) => entry.exportName.kind === 'Default'),
    isBarrel:
      program.body.length > 0 &&
      program.body.every(
        (node) => /^Export(All|Named)Declaration$/.test(node.type) && 'source' in node && node.source !== null,
      ),
  }
}

/** Most tests want the texts alone: a file is parsed when somebody asks for what it imports or defines. */
class Read implements Source {
  readonly file: string
  readonly text: string
  readonly lines: number
  #parsed?: Parsed

  constructor(file: string) {
    this.file = file
    this.text = fs.readFileSync(path.join(root, file), 'utf8')
    this.lines = startsOfLines(this.text).length
  }

  get #all(): Parsed {
    return (this.#parsed ??= parsed(this.file, this.text))
  }
  get imports(): Import[] {
    return this.#all.imports
  }
  get functions(): Func[] {
    return this.#all.functions
  }
  get hasDefaultExport(): boolean {
    return this.#all.hasDefaultExport
  }
  get isBarrel(): boolean {
    return this.#all.isBarrel
  }
}

function listed(...patterns: string[]): string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && fs.existsSync(path.join(root, file)))
}

/** Committed symbolic links: they lead to what only one machine has. */
export function links(): string[] {
  return execFileSync('git', ['ls-files', '--stage'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith('120000'))
}

/** Everything committed or about to be, without generated files. */
export const sources: Source[] = listed('*.ts', '*.tsx')
  .filter((file) => file !== 'server/src/db/tables.ts')
  .map((file) => new Read(file))

/** Everything that may cite a document. */
export const texts = listed(
  '*.ts',
  '*.tsx',
  '*.mjs',
  '*.sql',
  '*.md',
  '*.css',
  '*.yaml',
  '*.conf',
  '*.pl',
  '*.sh',
  '*Dockerfile',
)
  .filter((file) => !file.startsWith('scripts/citations'))
  .map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }))

export const styleLines = listed('*.css').flatMap((file) =>
  fs
    .readFileSync(path.join(root, file), 'utf8')
    .split('\n')
    .map((text, index) => ({ file, at: `${file}:${index + 1}`, text })),
)

export const isTest = (file: string): boolean =>
  /\.test\.tsx?$|\/testing\/|\/testing(-[\w-]+)?\.tsx?$|^web\/e2e\//.test(file)
