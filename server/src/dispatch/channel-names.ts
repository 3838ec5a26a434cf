/**
 * Names of our channels on a dialer. Asterisk mistakes a new channel's name for that of a living one whose name begins with it: while '…-125'
 * lives, '…-12' gets a 409 and nobody is called. So each name ends with a letter, which no number can continue.
 */

/** Name of an attempt's customer, as SQL over `installation i` and the attempt `o`. `tried`: the trunks before the present one. */
export const customerChannelSql = (epoch: string, tried = 'null::int[]'): string =>
  `i.id || '-' || ${epoch} || '-' || o.id || coalesce('-d' || cardinality(${tried}), '') || '-c'`

/** Name of the customer's channel over the next trunk, after `tried` others. `customer`: its name over one of these. */
export function detourChannel(customer: string, tried: number): string {
  return customer.replace(/(-d\d+)?-c$/, `-d${tried}-c`)
}

/** Name of an agent's leg, made while the customer's exists. `tried`: how many hosts of its trunk did not carry it before. */
export function agentChannel(customer: string, epoch: number, step: number, tried = 0): string {
  return `${customer}-a${epoch}-${step}${afterHosts(tried)}-c`
}

const afterHosts = (tried: number): string => (tried > 0 ? `-d${tried}` : '')

/** Name of the bridge that joins a customer and an agent. */
export const bridgeOf = (customer: string): string => `${customer}-b`

export const customerOfBridge = (bridgeId: string): string => bridgeId.replace(/-b$/, '')

/** Name of a trunk's test call. `prefix`: see channelPrefix(); `tried`: how many hosts of the trunk did not carry it before. */
export function testChannel(prefix: string, epoch: number, testId: number, tried = 0): string {
  return `${prefix}${epoch}-t${testId}${afterHosts(tried)}-c`
}

/** Null: not the channel of a test, or another installation's. */
export function testOf(prefix: string, name: string): number | null {
  const [, id] = (name.startsWith(prefix) && /^\d+-t(\d+)(?:-d\d+)?-c$/.exec(name.slice(prefix.length))) || []
  return id === undefined ? null : Number(id)
}

/** Null: not a leg of a campaign's call, or another installation's. `tried`: how many trunks the attempt had tried before. */
export function legOf(prefix: string, name: string): { attemptId: number; tried: number; isAgent: boolean } | null {
  const leg = parse(name)
  return leg?.prefix === prefix ? { attemptId: leg.attemptId, tried: leg.tried, isAgent: leg.isAgent } : null
}

/** For an agent's leg, the channel of its customer; otherwise null. */
export function customerOf(name: string): string | null {
  const leg = parse(name)
  return leg?.isAgent ? leg.customer : null
}

type Leg = { prefix: string; customer: string; attemptId: number; tried: number; isAgent: boolean }

function parse(name: string): Leg | null {
  const [, customer, prefix, id, tried = '0', agent] =
    /^((.+-)\d+-(\d+)(?:-d(\d+))?-c)(-a\d+-\d+(?:-d\d+)?-c)?$/.exec(name) ?? []
  if (customer === undefined || prefix === undefined) return null
  return { prefix, customer, attemptId: Number(id), tried: Number(tried), isAgent: agent !== undefined }
}
