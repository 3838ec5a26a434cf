import { useEffect, useRef } from 'react'
import classes from './LevelMeter.module.css'

/** How loud the microphone is, 20 dB below the loudest being about right. Only drawn: its words are those of the recording that was made. */
export function LevelMeter({ level }: { level: () => number }) {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      const now = level()
      if (bar.current) {
        bar.current.style.transform = `scaleX(${now})`
        bar.current.dataset['is'] = now > tooLoud ? 'loud' : 'good'
      }
      frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [level])
  return (
    <span className={classes.meter} aria-hidden>
      <i ref={bar} />
    </span>
  )
}

/** 1 dB below where it is clipped. */
const tooLoud = 59 / 60
