import type { AllowedHosts } from '../outgoing.ts'

/** Where a request may go; it never connects to anything else. */
export type Reach = Omit<AllowedHosts, 'ownAddresses'>

export type AddressAnswer =
  | { kind: 'answered'; status: number }
  /** No byte of the request left. `forbidden`: the address is not allowed; otherwise `why` is a sentence. */
  | { kind: 'unreached'; forbidden: boolean; why: string }
  /** The request may have been read, but no answer came. */
  | { kind: 'lost'; slow: boolean }

export interface AddressDriver {
  /** Whether the host's present addresses are allowed; true when that cannot be found out now. */
  mayReach(url: URL, reach: Reach): Promise<boolean>
  /** Asks once, without following redirects. Ends within `answerMs`. */
  ask(url: URL, reach: Reach): Promise<AddressAnswer>
}

export const answerMs = 5000
