/** The trunk that every step of a route must share its dialer with: that of the first. Answers the first step of another dialer, or -1. */
export function elsewhere(steps: readonly { trunkId: number }[], dialerOf: ReadonlyMap<number, number>): number {
  const [first] = steps
  return steps.findIndex(({ trunkId }) => dialerOf.get(trunkId) !== dialerOf.get(first?.trunkId ?? 0))
}

export const callRouteWords = {
  noTrunk: 'is no trunk',
  elsewhere: 'is a trunk of another dialer: the trunks of a route belong to one dialer',
  needed: (clis: string) => `lack the trunk of the caller IDs ${clis}: give these another route or another trunk first`,
  inUse: (clis: string) => `is the route of the caller IDs ${clis}: give them another one first`,
  hasNotTrunk: (trunk: string) => `does not have trunk ${trunk} of this caller ID: add it to the route first`,
  withoutTrunk: 'cannot be given to a caller ID without a trunk',
}
