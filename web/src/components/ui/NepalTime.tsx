import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'

type NepalTimeProps = {
  /** 'yyyy-MM-dd HH:mm:ss' from the wire, already in Nepal time. */
  wire: string
  seconds?: boolean
  day?: boolean
  /** Appends how long until or since then. */
  relative?: boolean
}

/** A time in the reader's calendar; hover or focus shows the zone, the other calendar's date and the distance. */
export function NepalTime({ wire, seconds = false, day = false, relative = false }: NepalTimeProps) {
  const { time } = useTexts('common')
  const format = useFormat()
  const [looked, setLooked] = useState(false)
  const other = useOtherDate(wire.slice(0, 10), looked)
  const distance = format.untilOrSince(wire)
  const title = [!day && time.zoneLong, other, distance].filter(Boolean).join(' · ')
  return (
    <time
      dateTime={`${wire.replace(' ', 'T')}+05:45`}
      title={looked ? title : undefined}
      onPointerEnter={() => setLooked(true)}
    >
      {day ? format.day(wire) : seconds ? format.timeWithSeconds(wire) : format.time(wire)}
      {relative && distance && ` (${distance})`}
    </time>
  )
}

/** 'AD 2026-11-23' when dates are written in Bikram Sambat, else 'BS 2083 Mangsir 7' once the converter has loaded. */
export function useOtherDate(day: string, wanted = true): string | null {
  const { time } = useTexts('common')
  const format = useFormat()
  const bikramSambat = useBikramSambat(day, wanted && format.calendar === 'ad')
  if (format.calendar === 'bs') return time.ad(format.digits(day))
  return bikramSambat && time.bikramSambat(bikramSambat)
}

/** The BS date of 'yyyy-MM-dd'; null outside the table, and until the converter, which loads on demand, is there. */
export function useBikramSambat(day: string, wanted = true): string | null {
  const language = useLanguage()
  const converter = useQuery({
    queryKey: ['bikram-sambat'],
    queryFn: async () => {
      const { bikramSambatOf } = await import('../../i18n/bikram-sambat.ts')
      return { bikramSambatOf }
    },
    staleTime: Infinity,
    enabled: wanted,
  })
  return converter.data?.bikramSambatOf(day, language) ?? null
}
