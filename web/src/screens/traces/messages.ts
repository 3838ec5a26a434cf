/** 'INVITE' with its number, '180 Ringing'. */
export function firstLineOf(text: string): string {
  const end = text.search(/\r?\n/)
  const line = end === -1 ? text : text.slice(0, end)
  if (line.startsWith('SIP/2.0 ')) return line.slice(8)
  const [method = '', uri = ''] = line.split(' ')
  return `${method} ${/^sips?:([^@;]+)@/.exec(uri)?.[1] ?? ''}`.trim()
}

/** Whether a reply means success; undefined for requests and provisional replies. */
export function toneOf(text: string): 'good' | 'bad' | undefined {
  const status = Number(/^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? 0)
  if (status >= 300) return 'bad'
  return status >= 200 ? 'good' : undefined
}
