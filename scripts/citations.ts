import * as path from 'node:path'

export type TextFile = { file: string; text: string }

/** GitHub's anchors of a Markdown text's headings; the second of two equal ones gets '-1'. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const seen = new Map<string, number>()
  for (const [, heading = ''] of withoutCode(markdown).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading)
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    anchors.add(before === 0 ? anchor : `${anchor}-${before}`)
  }
  return anchors
}

function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/** Without fenced blocks, where '#' starts a comment. */
function withoutCode(markdown: string): string {
  return markdown.replace(/^```[^]*?^```/gm, '')
}

const isDocument = ({ file }: TextFile): boolean => file.endsWith('.md')

/** 'docs/design.md#money' or 'docs/operating/alerts.md', from the root, in any file. */
const cited = /\bdocs\/((?:[\w-]+\/)?[\w-]+\.md)(#[\w-]*)?/g
/** 'docs/adr/8': a decision by its number. */
const decision = /\bdocs\/adr\/(\d+)\b/g
/** '[words](api.md#lists)', '[words](#lists)': relative to the document. */
const link = /\]\(([^)\s]*)\)/g

/** '<file>:<line>: <citation>' of each without a target. */
export function deadCitations(files: readonly TextFile[]): string[] {
  const documents = new Map(files.filter(isDocument).map(({ file, text }) => [file, anchorsOf(text)]))
  const leads = (target: string, anchor: string): boolean => {
    const anchors = documents.get(target)
    return anchors !== undefined && (anchor === '' || anchors.has(anchor.slice(1)))
  }
  const isDecided = (number: string): boolean =>
    [...documents.keys()].some((document) => document.startsWith(`docs/adr/${number}-`))
  return files.flatMap(({ file, text }) => [
    ...found(file, text, cited, (name, anchor) => !leads(`docs/${name}`, anchor)),
    ...found(file, text, decision, (number) => !isDecided(number)),
    ...(file.endsWith('.md') ? found(file, text, link, (target) => !linkLeads(file, target, leads)) : []),
  ])
}

/** Decisions that the index of docs/adr does not have exactly once. deadCitations() finds its links that lead nowhere. */
export function unlistedDecisions(files: readonly TextFile[]): string[] {
  const index = files.find(({ file }) => file === 'docs/adr/README.md')?.text ?? ''
  const entries = [...index.matchAll(/^\| \[(\d+)\]\(([^)]*)\) \|/gm)].map(
    ([, number, target]) => `${number}: ${target}`,
  )
  return files
    .map(({ file }) => file)
    .filter((file) => /^docs\/adr\/\d/.test(file))
    .filter((file) => {
      const name = path.posix.basename(file)
      return entries.filter((entry) => entry === `${parseInt(name)}: ${name}`).length !== 1
    })
}

function linkLeads(file: string, target: string, leads: (target: string, anchor: string) => boolean): boolean {
  const [, document = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(target) ?? []
  if (document === '') return leads(file, anchor)
  const isOurs = document.endsWith('.md') && !/^[a-z]+:/.test(document)
  return !isOurs || leads(path.posix.join(path.posix.dirname(file), document), anchor)
}

/**
 * Pages and abbreviations that nobody can look up in the repository. The two specifications are cited as 'specification 1 §5'; docs/api.md
 * says what they are.
 */
const unknownPage =
  /\b(?:DESIGN|WIRE)\b|\b(?:BACKEND|FRONTEND|STYLE|TELEPHONY|NEPALI)(?:\.md| §)|\bS[12],? ?§|\b[Ss]pec [12] §/g

/** '<file>:<line>: <citation>' of each that names a page outside the repository. */
export function foreignCitations(files: readonly TextFile[]): string[] {
  return files.flatMap(({ file, text }) => found(file, text, unknownPage, () => true))
}

/**
 * Files that a document names in backticks by their path from the root. Patterns and placeholders (`web/src/screens/<area>/`) are not
 * files.
 */
const namedFile =
  /`((?:server|web|contract|callflow|scripts|bench|telephony)\/[\w./-]+\.(?:tsx?|mjs|sql|css|sh|ya?ml|conf|html|md))`/g

/** '<file>:<line>: <path>' of each missing file. Decisions in docs/adr describe the code of their day. */
export function deadPaths(files: readonly TextFile[], exists: (file: string) => boolean): string[] {
  return files
    .filter((file) => isDocument(file) && !file.file.startsWith('docs/adr/'))
    .flatMap(({ file, text }) => found(file, text, namedFile, (name) => !exists(name)))
}

function found(
  file: string,
  text: string,
  pattern: RegExp,
  isWrong: (first: string, second: string, all: string) => boolean,
): string[] {
  return [...text.matchAll(pattern)]
    .filter(([all, first = '', second = '']) => isWrong(first, second, all))
    .map((match) => `${file}:${text.slice(0, match.index).split('\n').length}: ${match[0]}`)
}
