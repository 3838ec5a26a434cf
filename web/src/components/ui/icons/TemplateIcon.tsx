import type { TemplateId } from '@ghanti/contract/template-names.ts'
import {
  IconCalendarEvent,
  IconCar,
  IconDialpad,
  IconHeadset,
  IconMessageQuestion,
  IconPlayerPlay,
  IconSteeringWheel,
  IconTools,
  IconUmbrella,
} from '@tabler/icons-react'

/** By the sent id (specification 1 §9). Does not compile when one is missing. */
const icons: Record<number, typeof IconCar> = {
  0: IconPlayerPlay,
  1: IconDialpad,
  2: IconHeadset,
  3: IconCalendarEvent,
  4: IconSteeringWheel,
  5: IconCar,
  6: IconUmbrella,
  7: IconTools,
  8: IconMessageQuestion,
} satisfies Record<TemplateId, typeof IconCar>

export default function TemplateIcon({ id, size = 18 }: { id: number; size?: number }) {
  const Chosen = icons[id]
  return Chosen ? <Chosen size={size} stroke={1.6} aria-hidden /> : null
}
