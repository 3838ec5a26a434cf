export type SaidIn = { file: string; text: string }

/**
 * The messages of both specifications, copied by hand, with their sections (1: voice campaigns, 2: administration). `{…}` is a value. Deliberate
 * differences are in docs/deviations.md instead.
 */
export const specifiedMessages: readonly { text: string; section: string }[] = [
  ...of('specification 1 §5', [
    'Please enter username & password.',
    'Please enter Username',
    'Please enter Password',
    'Please enter Confirm Password',
    "Password & Confim Password don't match",
    'Please add Agent Row',
    'Please add Agent and DTMF Row',
    'Please select Agent and DTMF',
    '{dtmf} DTMF is already selected',
    '{type} is not a supported format',
    '{size} is too large, please pick a smaller file',
  ]),
  ...of('specification 1 §4', [
    'Are you sure you want to stop this campaign?',
    'Are you sure you want to pause this campaign?',
    'Are you sure you want to resume this campaign?',
    'Are you sure you want to retry this campaign?',
    'Token Not Valid.',
    'Token Expired',
  ]),
  ...of('specification 1 §7', ['No data found']),
  ...of('specification 1 §8', [
    'Bad credentials',
    'Wrong username or password.',
    'Parameters Incorrect',
    'Something went wrong',
    'Wrong username',
    'Link sent to registered mail',
    'Password Reset Successfully',
    'Password Reset Failed',
    'Error in Stopping, please try again',
    'Error in Pause, please try again',
    'Error in Resume, please try again',
    'Error in Deleting File, please try again',
    'Approval Failed',
    'Rejecting Failed',
    'No ID found',
    'No Files',
  ]),
  ...of('specification 2 §2', ['No Plan', 'Are you sure you want to call this number?']),
  ...of('specification 2 §5', [
    'Recharge Amount cannot be less than or equal to 0',
    'Password cannot be less than 8 characters',
    'Channel Limit Exceeded',
    'Please select CLI',
    '{cli} is already selected',
    'Please add CLI Row',
    'Please Select Expiry Date',
  ]),
  ...of('specification 2 §8', [
    'Recharge Failed.',
    'Reset Password Failed',
    'Request Failed!! Please try again',
    'User Updation Failed',
    'User Created Successfully',
    'Error in Deleting Plan, please try again',
    'Error in Deleting Blacklist Number, please try again',
    'Error in Deleting User, please try again',
    'Error in Deleting CLI, please try again',
    'Error in Deleting Dialer, please try again',
    'Error in Deleting Trunk, please try again',
    'Error in Removing CLI, please try again',
    'Error in Updating Trunk',
    'No Pulse found',
    'No Plan found',
    'No Dialer found',
  ]),
]

function of(section: string, texts: readonly string[]): { text: string; section: string }[] {
  return texts.map((text) => ({ text, section }))
}

/** Files that only name texts: a text there is used when code refers to its name. */
const catalogues = /^contract\/src\/messages\.ts$|^web\/src\/i18n\/en\//
/** Translations, tests and the developers' page show no text to users. */
const others =
  /^contract\/src\/nepali\/|^web\/src\/i18n\/ne\/|\.test\.tsx?$|^server\/src\/testing\/|^web\/src\/(design|testing)\//

/** Messages that no code path shows: named nowhere, or in a catalogue entry that nothing uses. */
export function unusedAmong<Message extends { text: string }>(
  messages: readonly Message[],
  sources: readonly SaidIn[],
): Message[] {
  const own = sources
    .filter(({ file }) => !others.test(file))
    .map(({ file, text }) => ({ file, text: withoutComments(text) }))
  const named = own.filter(({ file }) => catalogues.test(file))
  const code = own.filter(({ file }) => !catalogues.test(file))
  const isAskedFor = (name: Name) => code.some(({ text }) => asksFor(name, text))
  return messages.filter(({ text }) => {
    const quoted = literalsOf(text)
    if (code.some((source) => quoted.some((literal) => source.text.includes(literal)))) return false
    return !named.some((source) => namesOf(source, quoted).some(isAskedFor))
  })
}

/** How a text may be written in TypeScript; one that begins with a value is a template literal with the same ending. */
function literalsOf(text: string): string[] {
  const [, after] = /^\{\w+\}(.+)$/.exec(text) ?? []
  if (after !== undefined) return [`${after}\``]
  return [`'${text.replaceAll("'", String.raw`\'`)}'`, `"${text}"`]
}

/** A catalogue's name for a text. `group`: the object that contains it, which alone distinguishes one 'stop' from another. */
type Name = { name: string; group: string | null; isFunction: boolean }

/** The catalogue's keys and functions whose value is one of the literals. */
function namesOf({ file, text }: SaidIn, literals: readonly string[]): Name[] {
  const names: Name[] = []
  // Indentation, which the formatter keeps, shows in which objects a line stands.
  const groups: string[] = []
  let functionName = ''
  for (const line of text.split('\n')) {
    functionName = /^export function (\w+)/.exec(line)?.[1] ?? functionName
    const [, indent = '', key] = /^(\s*)(?:export const )?(\w+)(?:: | = )/.exec(line) ?? []
    if (key !== undefined) groups.splice(indent.length / 2, Infinity, key)
    if (!literals.some((literal) => line.includes(literal))) continue
    if (/^\s*return /.test(line)) names.push({ name: functionName, group: null, isFunction: true })
    else if (key !== undefined) names.push({ name: key, group: groupOf(file, groups.slice(0, -1)), isFunction: false })
  }
  return names
}

/** The console takes texts from their area without naming it; the contract's messages are named. */
function groupOf(file: string, groups: readonly string[]): string | null {
  return groups.length > 1 || file.startsWith('contract/') ? (groups.at(-1) ?? null) : null
}

function asksFor({ name, group, isFunction }: Name, code: string): boolean {
  const says = (pattern: string) => new RegExp(pattern).test(code)
  if (isFunction) return says(String.raw`\b${name}\(`)
  if (group === null) return says(String.raw`\.${name}\b`)
  const isTakenApart = says(String.raw`\{[^{}]*\b${group}\b[^{}]*\} = `)
  return says(String.raw`\b${group}\.${name}\b|\.${group}\[\w+\]`) || (isTakenApart && says(String.raw`\.${name}\b`))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}
