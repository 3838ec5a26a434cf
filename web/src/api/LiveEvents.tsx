import { useEffect } from 'react'
import { openLiveEvents } from './live.ts'

/** The stream of live events for as long as somebody is signed in. */
export default function LiveEvents() {
  useEffect(() => openLiveEvents(), [])
  return null
}
