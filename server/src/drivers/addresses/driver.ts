import type { AllowedHosts } from '../outgoing.ts'

/** Where a request may go; it never connects to anything else. */
export type Reach = Omit<AllowedHosts, 'ownAddresses'>

export type AddressAnswer =
  /** `retryAfter`: to a POST, the header as it was written. */
  | { kind: 'answered'; status: number; retryAfter?: string | undefined }
  /** No byte of the request left. `forbidden`: the address is not allowed; otherwise `why` is a sentence. */
  | { kind: 'unreached'; forbidden: boolean; why: string }
  /** The request may have been read, but no answer came. */
  | { kind: 'lost'; slow: boolean }

export type Post = { headers: Readonly<Record<string, string>>; body: string }

export interface AddressDriver {
  /** Whether the host's present addresses are allowed; true when that cannot be found out now. */
  mayReach(url: URL, reach: Reach): Promise<boolean>
  /** Asks once, without following redirects. Ends within `answerMs`. */
  ask(url: URL, reach: Reach): Promise<AddressAnswer>
  /** Sends once, without following redirects. The status ends it: what follows is not read. Ends within `postMs`. */
  post(url: URL, reach: Reach, post: Post): Promise<AddressAnswer>
}

export const answerMs = 5000
export const postMs = 15_000
