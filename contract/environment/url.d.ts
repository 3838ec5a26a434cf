/** What contract and callflow use of the standards that browsers and Node share, which TypeScript's own library does not declare. */
interface URL {
  readonly host: string
  readonly hostname: string
  readonly href: string
  readonly origin: string
  readonly pathname: string
  readonly port: string
  readonly protocol: string
  readonly search: string
  readonly searchParams: URLSearchParams
  readonly username: string
  readonly password: string
  readonly hash: string
}
interface URLSearchParams extends Iterable<[string, string]> {
  get(name: string): string | null
  has(name: string): boolean
}
declare const URL: {
  new (url: string, base?: string): URL
  canParse(url: string, base?: string): boolean
}
