import { ownValue, setOwnValue } from '@ghanti/contract/own-values.ts'
import { segmentsOf, smsEncodingOf } from '@ghanti/contract/sms-text.ts'
import { escapeMarkup } from '../../../lib/escape-markup.ts'
import type { HttpSettings, OutgoingMessage } from '../driver.ts'

export type GatewayRequest = {
  method: 'GET' | 'HEAD' | 'POST'
  url: URL
  headers: Record<string, string>
  body: string | null
}

type Write = (value: string) => string
const inForm: Write = (value) => encodeURIComponent(value).replaceAll('%20', '+')
const inJson: Write = (value) => JSON.stringify(value).slice(1, -1)
const inHeader: Write = (value) => value.replaceAll(/[^\x20-\x7e]/g, '')
const asItIs: Write = (value) => value

const place = /\{(from|to|text|token|id|coding|unicode|parts|callback)\}/g

/**
 * Every value is escaped for its place, so that it stays a value. {to} is the number without 977; a template that needs the code has it in front.
 * {coding} is Kannel's: 0 for GSM-7, 2 for UCS-2.
 */
export function requestFor(settings: HttpSettings, { from, to, text, token: id }: OutgoingMessage): GatewayRequest {
  const national = to.startsWith('977') ? to.slice(3) : to
  const isUnicode = smsEncodingOf(text) === 'UCS-2'
  const values: Readonly<Record<string, string>> = {
    from,
    to: national,
    text,
    token: settings.token,
    id,
    coding: isUnicode ? '2' : '0',
    unicode: isUnicode ? '1' : '0',
    parts: String(segmentsOf(text)),
    callback: settings.callback,
  }
  const fill = (template: string, write: Write): string =>
    template.replaceAll(place, (_whole, name: string) => write(ownValue(values, name) ?? ''))
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(settings.headers))
    setOwnValue(headers, name.toLowerCase(), fill(value, inHeader))
  if (settings.method === 'GET') return { method: 'GET', url: urlOf(settings, fill), headers, body: null }
  headers['content-type'] ??= 'application/x-www-form-urlencoded'
  return {
    method: 'POST',
    url: urlOf(settings, fill),
    headers,
    body: fill(settings.body, writerOf(headers['content-type'])),
  }
}

/** A request that checks the connection and contains neither a message nor a secret. */
export function pingOf({ url }: HttpSettings): GatewayRequest {
  return { method: 'HEAD', url: new URL(originOf(url)), headers: {}, body: null }
}

function writerOf(contentType: string): Write {
  if (contentType.includes('json')) return inJson
  if (contentType.includes('xml')) return escapeMarkup
  return contentType.includes('form-urlencoded') ? inForm : asItIs
}

/** The host is the one that the operator wrote, whatever a message contains. */
function urlOf({ url }: HttpSettings, fill: (template: string, write: Write) => string): URL {
  const filled = new URL(fill(url, encodeURIComponent))
  if (filled.origin !== originOf(url)) throw new Error('the address of a gateway has a place in its host')
  return filled
}

function originOf(url: string): string {
  return new URL(url.replaceAll(place, '')).origin
}
