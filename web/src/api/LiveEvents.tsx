import { useEffect } from 'react'
import { openLiveEvents } from './live.ts'

export default function LiveEvents() {
  useEffect(() => openLiveEvents(), [])
  return null
}
