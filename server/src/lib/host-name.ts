/** Host names are compared in lower case and without the root's dot. */
export function comparable(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, '')
}
