import imported from 'nepali-date-converter'
import type { Language } from './areas.ts'

// Its CommonJS types promise a `default` inside the default; its ES build, which the bundle takes, has the class itself.
// oxlint-disable-next-line import/no-named-as-default-member -- see above
const NepaliDate = 'default' in imported ? imported.default : imported

/** The Bikram Sambat date of 'yyyy-MM-dd' (AD), like '2083 Mangsir 5'; null outside the converter's table (1944 to April 2034). */
export function bikramSambatOf(day: string, language: Language): string | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  try {
    return new NepaliDate(new Date(year, month - 1, date)).format('YYYY MMMM D', language === 'ne' ? 'np' : 'en')
  } catch {
    return null
  }
}
