import { ownValue } from '@ghanti/contract/own-values.ts'
import classes from './Empty.module.css'

/** By list: numbers and calls, people, or sound; all others get the drawing of a list. */
const drawingOf: Readonly<Record<string, Drawing>> = {
  users: 'people',
  'super-admins': 'people',
  'voice-files': 'audio',
  'voice-packs': 'audio',
  dialers: 'lines',
  trunks: 'lines',
  clis: 'lines',
  allocated: 'lines',
  'voice-blacklist': 'lines',
}

const strokes = {
  list: 'M14 12h52a4 4 0 0 1 4 4v32a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4V16a4 4 0 0 1 4-4ZM10 24h60M20 34h4M32 34h28M20 43h4M32 43h18',
  audio: 'M12 28v8M20 22v20M28 14v36M36 24v16M44 10v44M52 20v24M60 26v12M68 29v6',
  people:
    'M40 32a9 9 0 1 0 0-18a9 9 0 0 0 0 18ZM24 52c0-9 7-14 16-14s16 5 16 14M18 32a6 6 0 1 1 5-10M8 47c0-6 4-10 10-10M62 32a6 6 0 1 0-5-10M72 47c0-6-4-10-10-10',
  lines:
    'M20 32a6 6 0 1 0-12 0a6 6 0 0 0 12 0ZM72 14a6 6 0 1 0-12 0a6 6 0 0 0 12 0ZM72 50a6 6 0 1 0-12 0a6 6 0 0 0 12 0ZM20 32h8c12 0 10-18 22-18h10M28 32c12 0 10 18 22 18h10',
  search: 'M34 46a18 18 0 1 0 0-36a18 18 0 0 0 0 36ZM47 41l15 14M28 28h12',
} as const

export type Drawing = keyof typeof strokes

export function drawingOfList(name: string | undefined): Drawing {
  return ownValue(drawingOf, name ?? '') ?? 'list'
}

export function EmptyDrawing({ is }: { is: Drawing }) {
  return (
    <svg className={classes.drawing} viewBox="0 0 80 64" width={80} height={64} aria-hidden>
      <path d={strokes[is]} />
    </svg>
  )
}
