export const contractWords = {
  none: 'is not a contract',
  inUse: (trunks: string) => `is the contract of the trunks ${trunks}: take them out first`,
}
