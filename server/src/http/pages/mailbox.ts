import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import type { KeptMail } from '../../drivers/mail/driver.ts'
import { escapeMarkup } from '../../lib/escape-markup.ts'
import { isLocalHost } from '../guards.ts'
import type { HttpPorts } from '../ports.ts'

export const mailboxPath = '/api/mailbox'

/**
 * The mails that the demo would have sent. Anyone who reads them can take over an account with its reset link, so only this machine
 * can open the mailbox, and only while there are demo accounts, whose passwords are public anyway.
 */
export function mailboxRoute(http: FastifyInstance, app: App, { demoAccountExists }: HttpPorts): void {
  const { mailbox, clock } = app
  if (!mailbox) return
  http.get(mailboxPath, async (request, reply) => {
    if (!isHere(request) || !(await demoAccountExists())) return reply.callNotFound()
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
    return reply.send(page(mailbox.mails(), clock.now()))
  })
}

function isHere({ hostname, ip }: FastifyRequest): boolean {
  return isLocalHost(hostname) && /^(::ffff:)?127\.|^::1$/.test(ip)
}

const withLinks = (text: string): string =>
  escapeMarkup(text).replaceAll(/https?:\/\/[^\s<>&]+/g, (address) => `<a href="${address}">${address}</a>`)

function page(mails: readonly KeptMail[], now: Date): string {
  const shown = mails.map(
    ({ to, subject, text, attached, at }) =>
      `<article><h2>${escapeMarkup(subject)}</h2><p>To ${escapeMarkup(to)}, ${Math.round((now.getTime() - at.getTime()) / 1000)} s ago</p>` +
      `<pre>${withLinks(text)}</pre>${attached.map((name) => `<p>Attached: ${escapeMarkup(name)}</p>`).join('')}</article>`,
  )
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark"><title>Mailbox of the demo</title>' +
    '<style>body{font:15px/1.5 system-ui;max-width:45rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}' +
    'article{border-top:1px solid #8888}h2{font-size:1.1rem}</style>' +
    '<main><h1>Mailbox of the demo</h1><p>No mail server is set: nothing leaves this machine. Mails that would have been sent, the newest first:</p>' +
    `${shown.join('\n') || '<p>None yet.</p>'}</main></html>`
  )
}
