import type { ReactNode } from 'react'
import classes from './Empty.module.css'
import { EmptyDrawing, type Drawing } from './EmptyDrawing.tsx'

type EmptyProps = {
  drawing: Drawing
  text: string
  children?: ReactNode
}

/** Stands in for content that does not exist yet. Tables use EmptyRows. */
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
