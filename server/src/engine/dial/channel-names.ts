/**
 * What our channels are called on a dialer. Asterisk takes a new channel's name for that of a living one if the living one's begins with it ('…-12' while
 * '…-125' lives: 409, nobody is called), so each name ends with a letter that a number cannot go on after.
 */

/** Of an attempt's customer, as SQL over `installation i` and the attempt `o`. */
export const customerChannelSql = (epoch: string): string => `i.id || '-' || ${epoch} || '-' || o.id || '-c'`

/** Of an agent's leg, made while the customer's is there. */
export function agentChannel(customer: string, epoch: number, step: number): string {
  return `${customer}-a${epoch}-${step}-c`
}

/** Of a trunk's test call. `prefix`: see channelPrefix(). */
export function testChannel(prefix: string, epoch: number, testId: number): string {
  return `${prefix}${epoch}-t${testId}-c`
}

/** Whose leg it is; null: no call of a campaign, or another installation's. */
export function legOf(prefix: string, name: string): { attemptId: number; isAgent: boolean } | null {
  const leg = parse(name)
  return leg?.prefix === prefix ? { attemptId: leg.attemptId, isAgent: leg.isAgent } : null
}

/** Of an agent's leg: the channel of its customer; null for any other. */
export function customerOf(name: string): string | null {
  const leg = parse(name)
  return leg?.isAgent ? leg.customer : null
}

function parse(name: string): { prefix: string; customer: string; attemptId: number; isAgent: boolean } | null {
  const [, customer, prefix, id, agent] = /^((.+-)\d+-(\d+)-c)(-a\d+-\d+-c)?$/.exec(name) ?? []
  if (customer === undefined || prefix === undefined) return null
  return { prefix, customer, attemptId: Number(id), isAgent: agent !== undefined }
}
