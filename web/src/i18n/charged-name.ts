import { serverText } from './language.ts'

/** What a charge is for: a campaign by its name, which is its owner's own, or a test call or Call Now, which the server named. */
export function chargedName(name: string): string {
  return /^(?:Test call|Call Now)(?:: |$)/.test(name) ? serverText(name) : name
}
