export const contractWords = {
  none: 'is not a contract',
  inUse: (trunks: string) => `is the contract of the trunks ${trunks}: take them out first`,
  olderEngine: 'needs engines of this release only: an engine of the release before is running, stop it first',
}
