import type { ReactNode } from 'react'
import classes from './Empty.module.css'
import { EmptyDrawing, type Drawing } from './EmptyDrawing.tsx'

type EmptyProps = {
  drawing: Drawing
  /** Why there is nothing. */
  text: string
  /** The link or button of the next step. */
  children?: ReactNode
}

/** What stands where something would be that is not there yet. A table says so by itself: EmptyRows. */
export default function Empty({ drawing, text, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <EmptyDrawing is={drawing} />
      <div>
        <p>{text}</p>
        {children}
      </div>
    </div>
  )
}
