export const contractWords = {
  none: 'is no contract',
  inUse: (trunks: string) => `is the contract of the trunks ${trunks}: take them out first`,
  olderEngine: 'is for engines of this release: an engine of the release before is running, end it first',
}
