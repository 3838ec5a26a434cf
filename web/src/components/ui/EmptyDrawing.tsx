import { ownValue } from '@ghanti/contract/own-values.ts'
import classes from './Empty.module.css'

/** What a list is about; all others get the drawing of a list. */
const drawingOf: Readonly<Record<string, Drawing>> = {
  'contact-files': 'contacts',
  'voice-blacklist': 'contacts',
  users: 'contacts',
  'super-admins': 'contacts',
  'voice-campaigns': 'campaigns',
  repeating: 'campaigns',
  'repeating-days': 'campaigns',
  'set-ups': 'campaigns',
  attempts: 'campaigns',
  'sms-campaigns': 'messages',
  'sms-messages': 'messages',
  'sms-unapproved': 'messages',
  'sms-inbox': 'messages',
  'sms-texts': 'messages',
  'sender-ids': 'messages',
  'voice-files': 'audio',
  'voice-packs': 'audio',
  report: 'results',
  insight: 'results',
  'my-exports': 'results',
  dialers: 'lines',
  trunks: 'lines',
  clis: 'lines',
  allocated: 'lines',
}

const strokes = {
  contacts:
    'M20 8h48a4 4 0 0 1 4 4v40a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V12a4 4 0 0 1 4-4ZM10 18h10M10 32h10M10 46h10M38 31a7 7 0 1 0 0-14a7 7 0 0 0 0 14ZM27 46c0-7 4-10 11-10s11 3 11 10M56 22h9M56 31h9M56 40h6',
  campaigns:
    'M40 14c-8 0-13 6-13 15v7l-5 8h36l-5-8v-7c0-9-5-15-13-15ZM40 14v-4M35 48a5 5 0 0 0 10 0M16 22c-4 6-4 14 0 20M64 22c4 6 4 14 0 20M9 16c-6 9-6 23 0 32M71 16c6 9 6 23 0 32',
  messages:
    'M14 10h44a5 5 0 0 1 5 5v20a5 5 0 0 1-5 5H34L22 50V40h-8a5 5 0 0 1-5-5V15a5 5 0 0 1 5-5ZM20 21h32M20 30h20M69 22h2a5 5 0 0 1 5 5v17a5 5 0 0 1-5 5h-5v8l-10-8H44',
  audio: 'M12 28v8M20 22v20M28 14v36M36 24v16M44 10v44M52 20v24M60 26v12M68 29v6',
  results: 'M10 56h60M20 56V42M34 56V32M48 56V37M62 56V20M16 28l16-12 14 8 18-16M56 8h8v8',
  list: 'M14 12h52a4 4 0 0 1 4 4v32a4 4 0 0 1-4 4H14a4 4 0 0 1-4-4V16a4 4 0 0 1 4-4ZM10 24h60M20 34h4M32 34h28M20 43h4M32 43h18',
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
