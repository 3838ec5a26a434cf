import { createTransport } from 'nodemailer'
import { isMailAddress, MailNotTaken, MailRefused, type MailDriver } from './driver.ts'

/** Limits how long a silent server keeps a worker busy. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 30_000 }

/**
 * `url`: smtp://user:password@host:587 or smtps://…:465. A password is sent only over an encrypted connection, unless the server is on this
 * machine. nodemailer's further options can follow as a query.
 */
export function smtpMail({ url, from }: { url: string; from: string }): MailDriver {
  const { username, hostname, protocol } = new URL(url)
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 2,
      requireTLS: protocol === 'smtp:' && username !== '' && !isHere,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...timeouts,
    },
    { from },
  )
  return {
    async send({ to, subject, text, attachments = [], stopLink }) {
      if (!isMailAddress(to)) throw new MailRefused(`'${to}' is not a mail address`)
      const headers = {
        'Auto-Submitted': 'auto-generated',
        ...(stopLink !== undefined && { 'List-Unsubscribe': `<${stopLink}>` }),
      }
      const files = attachments.map(({ fileName, type, content }) => ({
        filename: fileName,
        contentType: type,
        content,
      }))
      const mail = { to: { name: '', address: to }, subject, text, headers, attachments: files }
      await transport.sendMail(mail).catch((error: unknown) => {
        if (isFinal(error)) throw new MailRefused(error.message)
        throw wasNotTaken(error) ? new MailNotTaken(error.message, { cause: error }) : error
      })
    },
    close: () => transport.close(),
  }
}

/** 5xx replies about the mail itself (RFC 5321 §4.2.1). A refused password or a broken connection may be repaired. */
function isFinal(error: unknown): error is Error {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return false
  const aboutMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return aboutMail && Number(error.responseCode) >= 500
}

/** A temporary refusal, or no connection at all. When a connection breaks later, the mail may have been taken. */
function wasNotTaken(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { code, syscall, responseCode } = error as Error & { code?: string; syscall?: string; responseCode?: number }
  return Number(responseCode) >= 400 || syscall === 'connect' || code === 'EDNS' || code === 'EAUTH' || code === 'ETLS'
}
