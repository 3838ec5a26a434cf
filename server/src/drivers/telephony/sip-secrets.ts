/** In lower case, without the colon. */
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'authentication-info'])
const secretParameters = ['response=', 'rspauth=', 'cnonce=']
const removed = 'removed'
/** A password in an address. Each part has a maximum length, so that the search stays linear. */
const passwordForm = /(sips?:[^\s:@;<>"]{1,80}):[^\s@;<>"]{1,80}@/gi

/** Removes from a SIP message what would let others call or listen: answers to password challenges, and keys of encrypted media. */
export function withoutSecrets(message: string): string {
  let isSecret = false
  const lines = message.split('\n').map((line) => {
    const isContinued = line.startsWith(' ') || line.startsWith('\t')
    if (!isContinued) isSecret = secretHeaders.has(nameOf(line))
    return isSecret ? withoutAnswers(line, isContinued) : withoutKeys(line)
  })
  return lines.join('\n').replace(passwordForm, `$1:${removed}@`)
}

function nameOf(line: string): string {
  const colon = line.indexOf(':')
  return colon === -1 || colon > 40 ? '' : line.slice(0, colon).trim().toLowerCase()
}

/** Keeps everything of a Digest but the answers, and nothing of other schemes. */
function withoutAnswers(line: string, isContinued: boolean): string {
  const end = line.endsWith('\r') ? '\r' : ''
  const value = isContinued ? line : line.slice(line.indexOf(':') + 1)
  const isDigest = isContinued || nameOf(line) === 'authentication-info' || /^\s{0,8}digest\s/i.test(value)
  if (!isDigest) return `${line.slice(0, line.indexOf(':') + 1)} ${removed}${end}`
  const parts = line.slice(0, line.length - end.length).split(',')
  return parts.map(withoutAnswer).join(',') + end
}

function withoutAnswer(part: string): string {
  const lower = part.toLowerCase()
  for (const name of secretParameters) {
    const at = lower.indexOf(name)
    if (at !== -1 && (at === 0 || ' \t'.includes(lower[at - 1] ?? '')))
      return `${part.slice(0, at + name.length)}"${removed}"`
  }
  return part
}

function withoutKeys(line: string): string {
  const end = line.endsWith('\r') ? '\r' : ''
  if (line.startsWith('a=crypto:')) return `${line.split(' ').slice(0, 2).join(' ')} inline:${removed}${end}`
  if (line.startsWith('a=ice-pwd:')) return `a=ice-pwd:${removed}${end}`
  return line.startsWith('k=') ? `k=${removed}${end}` : line
}
