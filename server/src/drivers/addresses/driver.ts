/** Addresses of customers that are asked over HTTP: a GET each, and what came of it. */

import type { AllowedHosts } from '../outgoing.ts'

/** Where a request may go; what it may not reach it never connects to. */
export type Reach = Omit<AllowedHosts, 'ownAddresses'>

export type AddressAnswer =
  | { kind: 'answered'; status: number }
  /** Not a byte of the request left. `forbidden`: it may not be reached; else `why` in words. */
  | { kind: 'unreached'; forbidden: boolean; why: string }
  /** The request may have been read, and no answer came. */
  | { kind: 'lost'; slow: boolean }

export interface AddressDriver {
  /** Whether what its host is now may be reached; true where that cannot be found out just now. */
  mayReach(url: URL, reach: Reach): Promise<boolean>
  /** Once, without following where the answer leads. It ends within `answerMs`. */
  ask(url: URL, reach: Reach): Promise<AddressAnswer>
}

/** An address that is asked has answered, or is given up, after so long. */
export const answerMs = 5000
