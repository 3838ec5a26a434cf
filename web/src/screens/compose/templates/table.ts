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
import { callPatch } from './call-patch.ts'
import { consultancy } from './consultancy.ts'
import { dtmfInput } from './dtmf-input.ts'
import { simpleIvr } from './simple-ivr.ts'
import { automobileService, premiumReminder, serviceReminder } from './speaking.ts'
import type { ComposeTemplate } from './template.ts'

/** The card and the drawing of each template, by the sent id (specification 1 §9). Does not compile when one is missing. */
const shownAs: Record<TemplateId, { card: ComposeTemplate; icon: typeof IconCar }> = {
  0: { card: simpleIvr, icon: IconPlayerPlay },
  1: { card: dtmfInput, icon: IconDialpad },
  2: { card: callPatch, icon: IconHeadset },
  3: { card: automobileService, icon: IconCalendarEvent },
  4: { card: automobileService, icon: IconSteeringWheel },
  5: { card: automobileService, icon: IconCar },
  6: { card: premiumReminder, icon: IconUmbrella },
  7: { card: serviceReminder, icon: IconTools },
  8: { card: consultancy, icon: IconMessageQuestion },
}

/** By the sent id. */
export const templateIcons: Readonly<Record<number, typeof IconCar>> = Object.fromEntries(
  Object.entries(shownAs).map(([id, { icon }]) => [id, icon]),
)

/** In the order of the cards. */
export const composeTemplates: readonly ComposeTemplate[] = [...new Set(Object.values(shownAs).map(({ card }) => card))]

export function composeTemplateOf(id: string | null): ComposeTemplate | undefined {
  return composeTemplates.find((template) => String(template.id) === id)
}
