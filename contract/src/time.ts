/** Years above this are Bikram Sambat, in files and in filters (docs/design.md#spoken-values). */
export const adYearMax = 2060

/** Nepal is UTC+05:45 all year. */
export const nepalOffsetMs = (5 * 60 + 45) * 60_000

/** 'yyyy-MM-dd HH:mm:ss' in Nepal time. */
export function nepalTimeOf(instant: Date): string {
  const iso = new Date(instant.getTime() + nepalOffsetMs).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`
}

/** 'yyyy-MM-dd' in Nepal. */
export function nepalDayOf(instant: Date): string {
  return nepalTimeOf(instant).slice(0, 10)
}

/** The instant of a Nepal time 'yyyy-MM-dd HH:mm:ss'; null for an invalid one (31 February, 25 o'clock). */
export function instantOfNepalTime(text: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(text)
  if (!match) return null
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(ms)) return null
  const instant = new Date(ms - nepalOffsetMs)
  return nepalTimeOf(instant) === text ? instant : null
}
