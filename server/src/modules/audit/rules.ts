/** What changed, for a reader: 'reason: complaints; now: yes; sip.host: sip.example.com'. What is empty says nothing. */
export function wordsOf(detail: unknown, prefix = ''): string {
  if (typeof detail !== 'object' || detail === null) return ''
  return Object.entries(detail)
    .toSorted(([a], [b]) => Number(b === 'name') - Number(a === 'name'))
    .flatMap(([name, value]: [string, unknown]) => {
      if (value === null || value === undefined || value === '') return []
      if (typeof value === 'object' && !Array.isArray(value)) return wordsOf(value, `${prefix}${name}.`) || []
      return `${prefix}${name}: ${textOf(value)}`
    })
    .join('; ')
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)
}
