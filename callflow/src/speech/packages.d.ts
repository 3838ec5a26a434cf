/** Each function throws for dates that the table does not have. */
declare module 'bikram-sambat' {
  type Day = { year: number; month: number; day: number }
  const bikramSambat: {
    daysInMonth(year: number, month: number): number
    /** Of 'yyyy-MM-dd' (AD). */
    toBik(day: string): Day
    toGreg(year: number, month: number, day: number): Day
  }
  export default bikramSambat
}

declare module '@sbmdkl/nepali-date-converter' {
  export function adToBs(day: string): string
  export function bsToAd(day: string): string
}
