import { calendarRoutes } from '@ghanti/contract/calendar.ts'
import { composeRoutes } from '@ghanti/contract/compose.ts'
import { smsCampaignRoutes } from '@ghanti/contract/sms-campaigns.ts'
import { smsComposeRoutes } from '@ghanti/contract/sms-compose.ts'
import { campaignDetailRoutes } from '@ghanti/contract/campaign-detail.ts'
import { voiceCampaignRoutes } from '@ghanti/contract/voice-campaigns.ts'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { call } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import { showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { showDone } from '../../components/ui/toasts/toasts.ts'
import { useFormat } from '../../i18n/format.ts'
import { loadTexts, textsOf, useTexts } from '../../i18n/language.ts'
import { isPast, moved, placeAt, wireOf, type Place, type Plan } from './plans.ts'

/** A plan being moved, by keys or the mouse, or waiting for the server's reply. */
export type Moving = { key: string; to: Place; how: 'keys' | 'mouse' | 'saving' }

/** A press becomes a drag after this many pixels. */
const dragFrom = 4
/** The grid scrolls when the mouse is this close to its edge. */
const edge = 32

/** Moves campaigns that have not begun, by arrow keys and by the mouse, with Undo. */
export function useMoving(week: readonly string[]) {
  const move = useMove()
  const [drag] = useState<{ current: Drag | null }>(() => ({ current: null }))
  return { moving: move.moving, said: move.said, ...byKeys(move, week), ...byMouse(move, week, drag) }
}
export type Mover = ReturnType<typeof useMoving>
type Move = ReturnType<typeof useMove>

function useMove() {
  const t = useTexts('calendar')
  const format = useFormat()
  const [moving, setMoving] = useState<Moving | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const drop = (why: string | null) => {
    setMoving(null)
    setSaid(why)
  }
  return {
    moving,
    said,
    take: setMoving,
    putBack: (plan: Plan) => drop(t.putBack(plan.name)),
    /** Says why the plan cannot be moved. Returns false when it can. */
    refuses(plan: Plan): boolean {
      if (plan.refusal !== null) setSaid(`${plan.name}: ${t.refusals[plan.refusal]}`)
      return plan.refusal !== null
    },
    async keep(plan: Plan, to: Place): Promise<void> {
      if (to.day === plan.day && to.minute === plan.minute) return drop(null)
      if (isPast(to, new Date())) return drop(t.past(plan.name))
      setMoving({ key: plan.key, to, how: 'saving' })
      try {
        await put(plan, to)
        showDone(t.moved(plan.name, format.time(wireOf(to))), () => put(plan, plan))
      } catch (error) {
        await loadTexts('editCampaign')
        showFailure(error, textsOf('editCampaign').fields)
      }
      drop(null)
    },
  }
}

function byKeys({ moving, take, putBack, refuses, keep }: Move, week: readonly string[]) {
  return {
    onKeyDown(plan: Plan, event: KeyboardEvent) {
      const mine = moving?.key === plan.key && moving.how === 'keys' ? moving : null
      if (mine && (event.key === 'Enter' || event.key === 'Escape')) {
        event.preventDefault()
        event.stopPropagation()
        return event.key === 'Escape' ? putBack(plan) : void keep(plan, mine.to)
      }
      const to = moved(mine?.to ?? plan, event.key, week)
      if (!to || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      if (!refuses(plan) && moving?.how !== 'saving') take({ key: plan.key, to, how: 'keys' })
    },
    /** Moving the focus elsewhere does not confirm the new place. */
    onBlur(plan: Plan) {
      if (moving?.key === plan.key && moving.how === 'keys') putBack(plan)
    },
  }
}

/** A press: its place on the page and within the plan, whether the mouse has moved far enough, and whether the move ended before the press did. */
type Drag = { x: number; y: number; offset: number; isFar: boolean; isOver: boolean }

function byMouse(
  { moving, take, putBack, refuses, keep }: Move,
  week: readonly string[],
  drag: { current: Drag | null },
) {
  return {
    onPointerDown({
      pointerType,
      button,
      clientX: x,
      clientY: y,
      currentTarget,
      pointerId,
    }: PointerEvent<HTMLElement>) {
      if (pointerType === 'touch' || button !== 0 || moving) return
      drag.current = { x, y, offset: y - currentTarget.getBoundingClientRect().top, isFar: false, isOver: false }
      currentTarget.setPointerCapture(pointerId)
    },
    onPointerMove(plan: Plan, event: PointerEvent<HTMLElement>) {
      const from = drag.current
      if (!from || from.isOver) return
      from.isFar ||= Math.hypot(event.clientX - from.x, event.clientY - from.y) >= dragFrom
      if (!from.isFar || refuses(plan)) return
      const to = pointed(event, from.offset, week)
      if (to) take({ key: plan.key, to, how: 'mouse' })
    },
    onPointerUp(plan: Plan) {
      if (drag.current) drag.current.isOver = true
      if (moving?.key === plan.key && moving.how === 'mouse') void keep(plan, moving.to)
    },
    onPointerCancel(plan: Plan) {
      if (drag.current) drag.current.isOver = true
      if (moving?.key === plan.key && moving.how === 'mouse') putBack(plan)
    },
    /** The click that ends a drag opens nothing. */
    wasDragged(): boolean {
      const { isFar = false } = drag.current ?? {}
      drag.current = null
      return isFar
    },
  }
}

/** The place under the mouse; the grid scrolls when the mouse is near its edge. */
function pointed(event: PointerEvent<HTMLElement>, offset: number, week: readonly string[]): Place | null {
  const grid = event.currentTarget.closest<HTMLElement>('[data-grid]')
  const scroller = grid?.closest<HTMLElement>('[data-scroller]')
  if (!grid || !scroller) return null
  const seen = scroller.getBoundingClientRect()
  if (event.clientY < seen.top + edge) scroller.scrollBy(0, -edge / 4)
  if (event.clientY > seen.bottom - edge) scroller.scrollBy(0, edge / 4)
  const { left, top, width, height } = grid.getBoundingClientRect()
  return placeAt((event.clientX - left) / width, (event.clientY - offset - top) / height, week)
}

async function put({ kind, id: campaignId }: Plan, to: Place): Promise<void> {
  const scheduleTime = wireOf(to)
  if (kind === 'calls') await call(composeRoutes.edit, { campaignId, scheduleTime })
  else await call(smsComposeRoutes.edit, { campaignId, scheduleTime })
  await refresh(
    calendarRoutes.range,
    ...(kind === 'calls'
      ? [voiceCampaignRoutes.list, campaignDetailRoutes.detail]
      : [smsCampaignRoutes.list, smsCampaignRoutes.summary]),
  )
}
