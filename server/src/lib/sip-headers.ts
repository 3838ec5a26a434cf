/** Values of a header of a SIP message, by its names in lower case. A value may go on in the next line, which then begins with a space. */
export function headerValues(text: string, ...names: string[]): string[] {
  const values: string[] = []
  let isNamed = false
  for (let from = text.indexOf('\n') + 1; from > 0;) {
    const to = text.indexOf('\n', from)
    const line = text.slice(from, to === -1 ? undefined : to)
    if (line.trim() === '') break
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (isNamed) values.push(`${values.pop() ?? ''} ${line.trim()}`)
    } else {
      const colon = line.indexOf(':')
      isNamed = names.includes(line.slice(0, Math.max(0, colon)).trim().toLowerCase())
      if (isNamed) values.push(line.slice(colon + 1).trim())
    }
    from = to + 1
  }
  return values
}
