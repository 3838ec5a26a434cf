export type Attachment = { fileName: string; type: string; content: Buffer }
export type Mail = {
  to: string
  subject: string
  text: string
  attachments?: readonly Attachment[]
  /** Unsubscribes; mail programs offer it beside the mail. */
  stopLink?: string
}

export interface MailDriver {
  /** Resolves when the mail server has taken the mail. Throws MailRefused or MailNotTaken. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** For good: a retry cannot help. */
export class MailRefused extends Error {}

/** Certainly not taken: a retry cannot deliver the mail twice. */
export class MailNotTaken extends Error {}

export type KeptMail = Pick<Mail, 'to' | 'subject' | 'text'> & {
  attached: string[]
  at: Date
}

/** What an installation that sends no mail keeps. */
export interface Mailbox {
  mails(): readonly KeptMail[]
}

/** Exactly one: no list, no name, no line breaks. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text) && text.length <= 254
}
