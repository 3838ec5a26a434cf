import type { AllowedHosts } from '../outgoing.ts'

/** A request never connects to anything else. */
export type Reach = Omit<AllowedHosts, 'ownAddresses'>

export type AddressAnswer =
  | { kind: 'answered'; status: number }
  /** No byte of the request left. `forbidden`: the address is not allowed; otherwise `why` is a sentence. */
  | { kind: 'unreached'; forbidden: boolean; why: string }
  /** The request may have been read. */
  | { kind: 'lost'; slow: boolean }

export interface AddressDriver {
  /** By the host's present addresses; true when they cannot be found out now. */
  mayReach(url: URL, reach: Reach): Promise<boolean>
  /** Once, without following redirects, within `answerMs`. */
  ask(url: URL, reach: Reach): Promise<AddressAnswer>
}

export const answerMs = 5000
