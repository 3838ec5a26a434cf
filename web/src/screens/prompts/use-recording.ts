import { promptSecondsMax } from '@ghanti/contract/prompts.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Recording, RecordingFault } from '../../audio/record.ts'
import { useTexts } from '../../i18n/language.ts'

type State = 'idle' | 'asking' | 'recording'

/** The microphone. `done` gets the recording, at the latest when it has the maximum length that can be sent. */
export function useRecording(done: (sound: File) => void) {
  const t = useTexts('prompts').sounds
  const [state, setState] = useState<State>('idle')
  const [seconds, setSeconds] = useState(0)
  const [fault, setFault] = useState<RecordingFault | null>(null)
  const recording = useRef<Recording | null>(null)
  const isGone = useRef(false)
  const count = useRef(0)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      recording.current?.cancel()
    }
  }, [])

  const start = async () => {
    setFault(null)
    setState('asking')
    const { startRecording, NoRecording } = await import('../../audio/record.ts')
    try {
      const begun = await startRecording()
      if (isGone.current) return begun.cancel()
      recording.current = begun
      setSeconds(0)
      setState('recording')
    } catch (error) {
      setFault(error instanceof NoRecording ? error.fault : 'unsupported')
      setState('idle')
    }
  }
  const stop = async () => {
    const ended = recording.current
    recording.current = null
    setState('idle')
    if (!ended) return
    count.current += 1
    const sound = await ended.stop(`${t.recordingName} ${count.current}.webm`)
    if (!isGone.current) done(sound)
  }

  const latestStop = useRef(stop)
  useEffect(() => {
    latestStop.current = stop
  })
  useEffect(() => {
    if (state !== 'recording') return
    const begun = Date.now()
    const timer = setInterval(() => {
      const passed = (Date.now() - begun) / 1000
      setSeconds(passed)
      if (passed >= promptSecondsMax) void latestStop.current()
    }, 250)
    return () => clearInterval(timer)
  }, [state])

  const level = useCallback(() => recording.current?.level() ?? 0, [])
  return { state, seconds, fault, level, start: () => void start(), stop: () => void stop() }
}
