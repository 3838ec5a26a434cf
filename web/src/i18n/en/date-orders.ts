export const texts = {
  title: (column: string) => `Which date is 11/05/2026 in the column ${column}?`,
  orders: { dmy: '11 May 2026', mdy: '5 November 2026' },
  ask: 'Dates of this file can be read in two ways. Until you choose, they are not spoken and nobody is called on them.',
  chosen: 'Rows that you add later are read in the same way.',
  failed: 'The order of the dates was not changed',
  fields: { dateOrders: 'The order', baseId: 'The contact file' },
}
