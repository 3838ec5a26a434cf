/** The text of docs/performance.md, written by `npm run bench` (bench/all.ts). */

type Bench = {
  measures: string
  lines: RegExp
  /** It is a test file that takes no size; `npm test` runs it at its smallest. */
  isTest?: true
}

/** What each bench measures, and the lines of its output for the product and for the ceilings. */
export const benches: Readonly<Record<string, Bench>> = {
  dispatch: {
    measures:
      'Calls that the engine completes over the simulated network. Ceiling: the bare statements on the same database.',
    lines: /engine: |bare statements: |the engine's rate|its CPU an attempt/,
  },
  scale: {
    measures:
      'One, two and four engine processes that share ten simulated dialers on one PostgreSQL: attempts, how long claims take, what PostgreSQL waits for, pauses.',
    lines: /engines?, |a claim takes|pause: |at once|a statement an attempt|the books/,
  },
  soak: {
    measures:
      'Two engine processes that keep 20,000 channels of 100 simulated dialers busy at real speed for ten minutes, on one PostgreSQL.',
    lines: /engines?, |a claim takes|pause: |at once|a statement an attempt|while idle|the books/,
  },
  idle: {
    measures: 'One engine process with 100 simulated dialers and no campaign.',
    lines: /idle dialers|transactions/,
  },
  telephony: {
    measures: 'Calls over a real Asterisk. Ceilings: a bare ARI client, and a dialplan of Asterisk alone.',
    lines: /calls\/s|of the bare client's|of the dialplan's|of a core \(aim/,
  },
  migrate: {
    measures: 'How long a new database takes: the schema from nothing.',
    lines: /databases of/,
  },
  prefetch: { measures: 'Sounds that are brought to a dialer while it carries calls.', lines: /./ },
  import: { measures: 'Contact files. Ceiling: the bare COPY of the file.', lines: /^ {2}/ },
  'blacklist-import': { measures: 'Blacklist files. Ceiling: the bare COPY.', lines: /^ {2}/ },
  lists: {
    measures: 'Lists, filters and searches over a full database.',
    lines: /^every list|questions took longer|\bload\b/,
  },
  reports: {
    measures: 'The call report, insight, dashboards and the page of a customer over a full database.',
    lines: /^(page|search|filtered|insight|dashboard|customer page|every question)/,
  },
  exports: {
    measures: 'Exports of calls in each format, while their owner reads pages.',
    lines: /^(csv|xlsx|parquet): |^every (figure|export)/,
  },
  sms: {
    measures: 'The SMPP driver. Ceiling: the bare library with receipts.',
    lines: /segments\/s|^the driver's rate/,
  },
  sends: {
    measures: 'Single messages of programs, by four keys, beside a campaign of 100,000.',
    lines: /messages, |the books/,
  },
  'sms-kannel': { measures: 'The SMPP driver beside Kannel.', lines: /messages\/s|^ours is/ },
  'sms-million': {
    measures: 'An SMS campaign of a million recipients, from compose to the last receipt, while people read.',
    lines: /messages\/s|^composed|^memory|p95/,
  },
  speech: { measures: 'Values that the speech engine speaks.', lines: /a second|minutes of sound/ },
  tenants: {
    measures:
      'What customers notice while one of them attacks, from a process that gives way to all others: hostile customers have machines of their own.',
    lines: /alone|attacked|in line/,
    isTest: true,
  },
  requests: {
    measures: 'CPU of the server for each request of the API, ordinary and hostile.',
    lines: /requests: median|the dearest hostile/,
    isTest: true,
  },
  'round-trip': {
    measures: 'Whether each callee hears what their own row says, with a thousand rows for each template.',
    lines: /^template \d+: [\d,]+ of/,
    isTest: true,
  },
  console: {
    measures:
      'Pages of the console in a browser: largest paint, layout shifts, what is white, and how long inputs wait. The aims are in its first comment.',
    lines: /LCP|INP|^(desktop|4x CPU|slow 3G)|\baims?\b|\bload\b/,
  },
  'first-start': { measures: 'A first and a second start from a fresh checkout.', lines: /^(first|second) start/ },
}

/** The benches among package.json's scripts: known ones in the page's order, then the others. */
export function benchesOf(scripts: Readonly<Record<string, string>>): string[] {
  const named = Object.keys(scripts).flatMap((script) => /^bench:(.+)$/.exec(script)?.[1] ?? [])
  return inOrder(named)
}

function inOrder(names: readonly string[]): string[] {
  const known = Object.keys(benches)
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))]
}

/** `commit`: null for saved output, because nobody knows what it ran. */
export type Section = {
  name: string
  command: string
  at: Date
  commit: string | null
  /** Releases are measured on more than one. */
  machine: string
  text: string
}

// oxlint-disable-next-line no-control-regex -- colours are control characters
const colours = /\u001B\[[\d;]*m/g
const head = `# Performance

\`npm run bench\` writes this page: each release's figures beside the ceilings that the same run measured, with the machine and the command. Everything
ran on that one machine. Absolute figures hold for it and its load of that minute; what lasts is the ratio to the ceiling. Sizing a dialer:
[operating/sizing.md](operating/sizing.md).
`

/** The output of a bench without colours, and without the line in which the test runner names its folder. */
export function plainText(text: string): string {
  return text.replaceAll(colours, '').replace(/^ *RUN +v\S+ .*\n/m, '')
}

/** The lines of interest, with the whole output folded below. */
export function sectionOf({ name, command, at, commit, machine, text }: Section): string {
  const { measures = '', lines = /\baim\b|\bbare\b/ } = benches[name] ?? {}
  const plain = text
    .trim()
    .split('\n')
    .map((line) => line.trimEnd())
  const chosen = plain.filter((line) => lines.test(line)).map((line) => `- ${line.trim()}`)
  const when = `${at.toISOString().slice(0, 10)}${commit === null ? ', from the kept output of a run' : `, commit ${commit}`}`
  return [
    `### ${name}\n\n${measures === '' ? '' : `${measures} `}\`${command}\`, ${when}, on ${machine}.\n`,
    chosen.length > 0 ? `${chosen.join('\n')}\n` : '',
    `<details><summary>All that it printed</summary>\n\n\`\`\`\n${plain.join('\n')}\n\`\`\`\n\n</details>\n`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** The page with one section of one release replaced, in the order of `benches`; everything else stays. */
export function merged(page: string, version: string, section: string): string {
  const releases = page.split(/^(?=## )/m).filter((part) => part.startsWith('## '))
  const own = releases.find((part) => part.startsWith(`## ${version}\n`)) ?? ''
  const sections = [...own.split(/^(?=### )/m).filter((part) => part.startsWith('### ')), section]
  const byName = new Map(sections.map((part) => [/^### (\S+)/.exec(part)?.[1] ?? '', part.trimEnd()]))
  const ordered = inOrder([...byName.keys()]).flatMap((name) => byName.get(name) ?? [])
  const release = `## ${version}\n\n${ordered.join('\n\n')}\n`
  const others = releases.filter((part) => part !== own).map((part) => `${part.trimEnd()}\n`)
  return [head, release, ...others].join('\n')
}
