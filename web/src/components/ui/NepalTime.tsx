import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useLanguage, useTexts } from '../../i18n/language.ts'

type NepalTimeProps = {
  /** 'yyyy-MM-dd HH:mm:ss' of the wire: Nepal time already. */
  wire: string
  seconds?: boolean
  /** Says how long until or since then, after the time. */
  relative?: boolean
}

/** A time, with zone, BS date and distance when the pointer rests on it or the keyboard reaches it. */
export function NepalTime({ wire, seconds = false, relative = false }: NepalTimeProps) {
  const { time } = useTexts('common')
  const format = useFormat()
  const [looked, setLooked] = useState(false)
  const bikramSambat = useBikramSambat(wire.slice(0, 10), looked)
  const distance = format.untilOrSince(wire)
  const title = [time.zoneLong, bikramSambat && time.bikramSambat(bikramSambat), distance].filter(Boolean).join(' · ')
  return (
    <time
      dateTime={`${wire.replace(' ', 'T')}+05:45`}
      title={looked ? title : undefined}
      onPointerEnter={() => setLooked(true)}
    >
      {seconds ? format.timeWithSeconds(wire) : format.time(wire)}
      {relative && distance && ` (${distance})`}
    </time>
  )
}

/** The BS date of 'yyyy-MM-dd', null until the converter is there (it loads when first wanted) and outside its years. */
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
