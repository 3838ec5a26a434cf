import { addressFor } from '@ghanti/contract/sms-address.ts'
import type { App } from '../../app.ts'
import type { FieldError } from '../../errors.ts'
import { settingOf } from '../platform/actions.ts'
import { reachOf, resultOf, whyNotAsked, words, type AddressPolicy, type ChosenAddress, type Result } from './rules.ts'

export async function policyOf({ config, db }: Pick<App, 'config' | 'db'>): Promise<AddressPolicy> {
  const hosts = await settingOf(db, 'smsAddressHosts')
  return { isDemo: config.embedded, hosts, ownHost: new URL(config.publicUrl).hostname }
}

/** What is wrong with each address. An address whose host cannot be looked up now is accepted: it is checked again before every request. */
export async function addressProblems(
  app: Pick<App, 'config' | 'db' | 'addresses'>,
  chosen: readonly ChosenAddress[],
): Promise<FieldError[]> {
  if (chosen.length === 0) return []
  const policy = await policyOf(app)
  const problems = await Promise.all(
    chosen.map(async ({ field, address }): Promise<FieldError[]> => {
      const url = addressFor(address, '')
      const refused = whyNotAsked(policy, url)
      const mayReach = refused !== null || (await app.addresses.mayReach(url, reachOf(policy, url)))
      const text = mayReach ? refused : words.privateAddress
      return text === null ? [] : [{ field, code: 'invalid', text }]
    }),
  )
  return problems.flat()
}

/** Sends one request for a number. If the policy forbids the address, nothing is sent. */
export async function askFor(
  { addresses }: Pick<App, 'addresses'>,
  policy: AddressPolicy,
  address: string,
  tenDigits: string,
): Promise<Result> {
  const url = addressFor(address, tenDigits)
  url.hash = ''
  if (whyNotAsked(policy, url) !== null) return { state: 'failed', reason: words.notAllowed }
  return resultOf(await addresses.ask(url, reachOf(policy, url)))
}
