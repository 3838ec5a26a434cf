import type { TraceMessage } from '@ghanti/contract/traces.ts'
import { useId, useState } from 'react'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { firstLineOf, toneOf } from './messages.ts'
import classes from './Traces.module.css'

/** Messages as arrows between two lines, dialer and operator; each opens its full text. Built as a list of buttons for screen readers. */
export function Ladder({ messages }: { messages: readonly TraceMessage[] }) {
  const t = useTexts('traces')
  const [first] = messages
  return (
    <div className={classes.ladder}>
      <div className={classes.ends} aria-hidden>
        <span>
          {t.dialer}
          <small dir="ltr" translate="no">
            {first?.dialer}
          </small>
        </span>
        <span>
          {t.operator}
          <small dir="ltr" translate="no">
            {first?.peer}
          </small>
        </span>
      </div>
      <ol className={classes.messages} aria-label={t.messages}>
        {messages.map((message, index) => (
          <Message key={index} message={message} />
        ))}
      </ol>
    </div>
  )
}

function Message({ message }: { message: TraceMessage }) {
  const t = useTexts('traces')
  const format = useFormat()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { afterMs, sent, transport, dialer, peer, text } = message
  const [from, to] = sent ? [dialer, peer] : [peer, dialer]
  return (
    <li>
      <button
        type="button"
        className={classes.message}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={classes.time}>{t.after(format.digits((afterMs / 1000).toFixed(3)))}</span>
        <span className={classes.arrow} data-sent={sent || undefined} data-tone={toneOf(text)}>
          <span className={classes.first} dir="ltr" translate="no">
            {firstLineOf(text)}
          </span>
          <span className={classes.way}>{sent ? t.sent : t.received}</span>
        </span>
      </button>
      <div id={id} hidden={!isOpen} className={classes.whole}>
        <p className={classes.dim} dir="ltr" translate="no">
          {t.whole(transport, from, to)}
        </p>
        <pre dir="ltr" translate="no" tabIndex={0} aria-label={firstLineOf(text)}>
          {text}
        </pre>
      </div>
    </li>
  )
}
