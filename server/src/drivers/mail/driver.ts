export type Mail = { to: string; subject: string; text: string }

export interface MailDriver {
  /** Resolves when the server has taken it. Throws MailRefused when trying again cannot help. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** This mail will never be accepted: the address does not exist, or the server does not want it. */
export class MailRefused extends Error {}

export type KeptMail = Mail & { at: Date }

/** The mails of an installation that sends none, for people who try it out. */
export interface Mailbox {
  /** The newest first. */
  mails(): readonly KeptMail[]
}

/** One address and nothing else: no list, no name, no line breaks. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text) && text.length <= 254
}
