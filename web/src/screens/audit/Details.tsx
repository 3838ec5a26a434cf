import { ownValue } from '@ghanti/contract/own-values.ts'
import type { AuditRow } from '@ghanti/contract/audit.ts'
import { Fragment } from 'react'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import classes from './AuditLog.module.css'

type Texts = TextsOf<'audit'>

/** Fields whose digits people look up or type: they stay as they are (docs/adr/46-digits-are-the-readers-choice.md). */
const codes = new Set(['port', 'host', 'ip', 'sipStatus', 'q850Cause', 'keys', 'dtmf', 'pincode', 'username'])
/** From this many digits on, a number without letters is a telephone number. */
const phoneMin = 8

/**
 * A value in the reader's digits and calendar: a figure, an amount, a time, a telephone number or several of these. Null for what has letters or
 * is an IP address: those keep their digits.
 */
function figureIn(value: string, t: Pick<Texts, 'rupees' | 'seconds'>, format: Format): string | null {
  const seconds = /^([\d.]+) s$/.exec(value)?.[1]
  if (seconds !== undefined) return t.seconds(format.digits(seconds))
  const rupees = /^Rs (-?[\d.]+)$/.exec(value)?.[1]
  if (rupees !== undefined) return `${t.rupees} ${format.rupees(Number(rupees))}`
  const [, from, to] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(value) ?? []
  if (from !== undefined && to !== undefined) return `${format.day(from)}..${format.day(to)}`
  if (/^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(value)) return format.moment(value)
  if (/^\+?\d+$/.test(value)) return value.length < phoneMin ? format.digits(value) : format.phone(value)
  if (value.includes(', ')) {
    const parts = value.split(', ').map((part) => figureIn(part, t, format))
    return parts.includes(null) ? null : parts.join(', ')
  }
  const isAddress = /\d\.\d+\.\d/.test(value)
  return /\d/.test(value) && !isAddress && /^[\d\s.:;+()/%–-]+$/.test(value) ? format.digits(value) : null
}

/** A name, or a number that stands for one. */
export function Named({ name }: { name: string }) {
  const t = useTexts('audit')
  const figure = figureIn(name, t, useFormat())
  return figure ?? <span translate="no">{name}</span>
}

/** 'prompt 10' becomes 'Voice file 10'. */
export function Target({ target }: Pick<AuditRow, 'target'>) {
  const t = useTexts('audit')
  const format = useFormat()
  if (target === null) return '–'
  const [, kind = '', id = ''] = /^([a-z ]*[a-z]) ?(\d*|[\da-f-]{36})$/.exec(target) ?? []
  const name = ownValue(t.targets, kind)
  return name === undefined ? <Named name={target} /> : `${name} ${format.digits(id.slice(0, 10))}`.trim()
}

/** Leaves out what the column before it says. */
export function Details({ details, targetName }: Pick<AuditRow, 'details' | 'targetName'>) {
  const t = useTexts('audit')
  const format = useFormat()
  const shown = details.filter(
    ({ name, value }) => !(['name', 'username', 'campaignName'].includes(name) && value === targetName),
  )
  if (shown.length === 0) return '–'
  return (
    <span className={classes.detail}>
      {shown.map(({ name, value }, at) => {
        const parts = name.split('.')
        const isCode = codes.has(parts.at(-1) ?? '')
        const words = ownValue(t.values, value) ?? (isCode ? null : figureIn(value, t, format))
        return (
          <Fragment key={name}>
            {at > 0 && '; '}
            {`${parts.map((part) => ownValue(t.labels, part) ?? part).join(' ')}: `}
            {words ?? <span translate="no">{value}</span>}
          </Fragment>
        )
      })}
    </span>
  )
}
