import type { KeptMail, Mailbox, MailDriver } from './driver.ts'

const keptMax = 50

/** Sends nothing. Logs what it would send, and keeps the newest mails until the process ends. */
export function developmentMailbox(say: (line: string) => void): MailDriver & Mailbox {
  const kept: KeptMail[] = []
  return {
    async send(mail) {
      kept.unshift({ ...mail, at: new Date() })
      kept.length = Math.min(kept.length, keptMax)
      say(`Mail to ${mail.to}: ${mail.subject}\n${mail.text.replaceAll(/^/gm, '  ')}`)
    },
    close: () => {},
    mails: () => kept,
  }
}
