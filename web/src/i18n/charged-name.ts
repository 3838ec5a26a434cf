import { serverText } from './language.ts'

/** What a charge is for: a campaign, by its owner's name for it, or a test call or Call Now, by the server's. */
export function chargedName(name: string): string {
  return /^(?:Test call|Call Now)(?:: |$)/.test(name) ? serverText(name) : name
}
