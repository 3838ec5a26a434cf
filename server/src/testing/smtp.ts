import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { atEndOfFile } from './cleanup.ts'

export type TakenMail = { to: string[]; from: string; raw: string }
export type TestSmtp = {
  url: string
  taken: TakenMail[]
  /** The error that a recipient is answered, or null to accept. Called for each. */
  refuse: (to: string) => Error | null
}

export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A real mail server on loopback. Only 'ghanti' may use it, with a password full of special characters. */
export async function testSmtp(): Promise<TestSmtp> {
  const smtp: TestSmtp = { url: '', taken: [], refuse: () => null }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'ghanti' && password === 'p@ss:/word') done(null, { user: username })
      else done(smtpError(535, 'wrong password'))
    },
    onRcptTo: ({ address }, _session, done) => done(smtp.refuse(address)),
    onData(stream, { envelope }, done) {
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      void text(stream).then((raw) => {
        smtp.taken.push({ to: envelope.rcptTo.map(({ address }) => address), from, raw })
        done()
      })
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.server.address() as AddressInfo
  smtp.url = `smtp://ghanti:p%40ss%3A%2Fword@127.0.0.1:${port}`
  atEndOfFile(() => new Promise<void>((closed) => server.close(closed)))
  return smtp
}

/** The text of a mail as its reader sees it. */
export function textOf({ raw }: TakenMail): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/^content-transfer-encoding: quoted-printable/im.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
