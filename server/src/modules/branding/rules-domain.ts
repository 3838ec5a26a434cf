import { comparable } from '../../lib/host-name.ts'

const beyondName = /[\s/\\:@?#%[\]]/
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The domain in the form that browsers send (IDN as punycode), or what is wrong with it, which continues a sentence after the field's
 * label.
 */
export function domainOf(typed: string): { hostname: string } | { wrong: string } {
  const text = comparable(typed.trim())
  if (beyondName.test(text))
    return { wrong: 'must be only a host name, like calls.example.com: no http://, port or path' }
  if (!URL.canParse(`http://${text}`)) return { wrong: 'is not a host name' }
  const { hostname } = new URL(`http://${text}`)
  const labels = hostname.split('.')
  if (/^\d+$/.test(labels.at(-1) ?? '')) return { wrong: 'must be a host name, not an address in numbers' }
  if (hostname.length > 253 || !labels.every((part) => label.test(part))) return { wrong: 'is not a host name' }
  if (labels.length < 2) return { wrong: 'must be a whole host name, like calls.example.com' }
  return { hostname }
}
