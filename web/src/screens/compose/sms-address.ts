import { dialable } from '@ghanti/contract/phone.ts'

const placeholder = '{PHONE}'

/** The address with its ten-digit mobile number as {PHONE}; a 977 or 0 before it stays. Null when there is none. */
export function withPlaceholder(address: string): string | null {
  const replaced = address.replace(
    /(?<!\d)(977|0)?(\d{10})(?!\d)/g,
    (all, prefix: string | undefined, number: string) =>
      dialable(number)?.kind === 'mobile' ? `${prefix ?? ''}${placeholder}` : all,
  )
  return replaced === address ? null : replaced
}
