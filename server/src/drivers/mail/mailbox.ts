import type { KeptMail, Mailbox, MailDriver } from './driver.ts'

const keptMax = 50

/** Sends nothing. Logs each mail, and keeps the newest ones until the process ends. */
export function developmentMailbox(say: (line: string) => void): MailDriver & Mailbox {
  const kept: KeptMail[] = []
  return {
    async send(mail) {
      const { to, subject, text, attachments = [] } = mail
      const attached = attachments.map(({ fileName }) => fileName)
      kept.unshift({ to, subject, text, attached, at: new Date() })
      kept.length = Math.min(kept.length, keptMax)
      const files = attached.length > 0 ? `\n  [${attached.join(', ')}]` : ''
      say(`Mail to ${to}: ${subject}\n${text.replaceAll(/^/gm, '  ')}${files}`)
    },
    close: () => {},
    mails: () => kept,
  }
}
