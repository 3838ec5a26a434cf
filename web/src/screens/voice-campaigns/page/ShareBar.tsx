import classes from './Answers.module.css'

/** Repeats the figures beside it; `lost` of it hung up there. */
export function Bar({ percent, lost = 0, tone }: { percent: number; lost?: number; tone: string }) {
  return (
    <svg className={classes.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden>
      <rect className={classes.track} width="100" height="1" />
      <rect className={classes.share} data-tone={tone} width={percent} height="1" />
      {lost > 0 && <rect className={classes.share} data-tone="left" x={percent - lost} width={lost} height="1" />}
    </svg>
  )
}
