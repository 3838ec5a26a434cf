export type Attachment = { fileName: string; type: string; content: Buffer }
export type Mail = {
  to: string
  subject: string
  text: string
  attachments?: readonly Attachment[]
  /** The page to unsubscribe, which mail programs offer beside the mail. */
  stopLink?: string
}

export interface MailDriver {
  /**
   * Resolves when the mail server has taken the mail. Throws MailRefused when a retry cannot help, and MailNotTaken when it was certainly not taken.
   */
  send(mail: Mail): Promise<void>
  close(): void
}

/** This mail will never be accepted: the address does not exist, or the server does not want it. */
export class MailRefused extends Error {}

/** The mail server could not be reached or refused for now. A retry cannot deliver the mail twice. */
export class MailNotTaken extends Error {}

export type KeptMail = Pick<Mail, 'to' | 'subject' | 'text'> & {
  attached: string[]
  at: Date
}

/** Keeps the mails of an installation that sends none, for people who try it out. */
export interface Mailbox {
  /** Newest first. */
  mails(): readonly KeptMail[]
}

/** Exactly one address: no list, no name, no line breaks. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text) && text.length <= 254
}
