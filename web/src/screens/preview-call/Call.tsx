import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { CallControls } from './CallControls.tsx'
import { FlowSteps } from './FlowSteps.tsx'
import { partOf } from './heard-call.ts'
import { LiveCall } from './live-call.ts'
import classes from './PreviewCall.module.css'
import { hashOf, type Preview } from './queries.ts'
import { Speaker } from './speaker.ts'
import { Transcript } from './Transcript.tsx'

type CallProps = {
  preview: Preview
  sounds: ReadonlyMap<string, AudioBuffer>
  /** One that a click has opened: the call begins by itself, and leaves the focus where it is. */
  opened?: Speaker | undefined
}

export function Call({ preview, sounds, opened }: CallProps) {
  const [speaker] = useState(() => opened ?? new Speaker())
  const call = useMemo(() => liveCall(preview, sounds, speaker), [preview, sounds, speaker])
  useEffect(() => {
    if (opened && preview.row.refused === null) call.start()
    return () => call.hangUp()
  }, [call, opened, preview.row.refused])
  useEffect(() => () => speaker.close(), [speaker])
  const heard = useSyncExternalStore(call.subscribe, call.heard)
  return (
    <div className={classes.call}>
      <div className={classes.telephone}>
        <CallControls
          call={call}
          heard={heard}
          names={preview.keyLabels}
          asks={preview.flow.menus.length > 0}
          disabled={preview.row.refused !== null}
          takesFocus={opened === undefined}
        />
      </div>
      <div className={classes.story}>
        <FlowSteps preview={preview} heard={heard} now={partOf(heard)} />
        <Transcript lines={heard.lines} preview={preview} />
      </div>
    </div>
  )
}

function liveCall(preview: Preview, sounds: ReadonlyMap<string, AudioBuffer>, speaker: Speaker): LiveCall {
  return new LiveCall(preview.flow, {
    now: () => performance.now(),
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    play: (parts) => {
      const played = parts.flatMap((part) => sounds.get(hashOf(part, preview)) ?? [])
      return { durationsMs: played.map(({ duration }) => duration * 1000), stop: speaker.play(played) }
    },
  })
}
