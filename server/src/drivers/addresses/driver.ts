/** Customers' addresses that are asked over HTTP: one GET each, and its result. */

import type { AllowedHosts } from '../outgoing.ts'

/** Where a request may go. It never connects to anything else. */
export type Reach = Omit<AllowedHosts, 'ownAddresses'>

export type AddressAnswer =
  | { kind: 'answered'; status: number }
  /** Not a byte of the request left. `forbidden`: the address may not be reached; otherwise `why` is a sentence. */
  | { kind: 'unreached'; forbidden: boolean; why: string }
  /** The request may have been read, and no answer came. */
  | { kind: 'lost'; slow: boolean }

export interface AddressDriver {
  /** Whether the host's present addresses may be reached; true where that cannot be found out now. */
  mayReach(url: URL, reach: Reach): Promise<boolean>
  /** Asks once, without following redirects. It ends within `answerMs`. */
  ask(url: URL, reach: Reach): Promise<AddressAnswer>
}

/** How long an address has to answer. */
export const answerMs = 5000
