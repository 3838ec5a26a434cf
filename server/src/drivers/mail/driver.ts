export type Attachment = { fileName: string; type: string; content: Buffer }
export type Mail = {
  to: string
  subject: string
  text: string
  attachments?: readonly Attachment[]
  /** A page on which the reader says that no more shall come; mail programs offer it beside the mail. */
  stopLink?: string
}

export interface MailDriver {
  /** Resolves when the server has taken it. Throws MailRefused when trying again cannot help, MailNotTaken when it certainly did not leave. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** This mail will never be accepted: the address does not exist, or the server does not want it. */
export class MailRefused extends Error {}

/** The server was not reached, or answered that it does not take the mail now: trying again mails nobody twice. */
export class MailNotTaken extends Error {}

export type KeptMail = Pick<Mail, 'to' | 'subject' | 'text'> & {
  /** The names of what was attached. */
  attached: string[]
  at: Date
}

/** The mails of an installation that sends none, for people who try it out. */
export interface Mailbox {
  /** The newest first. */
  mails(): readonly KeptMail[]
}

/** One address and nothing else: no list, no name, no line breaks. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text) && text.length <= 254
}
