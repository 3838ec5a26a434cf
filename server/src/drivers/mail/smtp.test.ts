import { createServer, type AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { smtpError, testSmtp, textOf } from '../../testing/smtp.ts'
import { isMailAddress, MailNotTaken, MailRefused } from './driver.ts'
import { smtpMail } from './smtp.ts'

const smtp = await testSmtp()
const mail = smtpMail({ url: smtp.url, from: 'Ghanti <calls@example.com>' })
afterAll(() => mail.close())
const send = (to: string) => mail.send({ to, subject: 'Balance · मौज्दात', text: 'One\n.\nतीन' })

test('a mail arrives as it was written, with lines of dots and Nepali', async () => {
  await send('someone@example.com')
  const taken = smtp.taken.at(-1)
  expect(taken).toMatchObject({ to: ['someone@example.com'], from: 'calls@example.com' })
  expect(taken?.raw).toMatch(/^From: Ghanti <calls@example\.com>/m)
  expect(taken && textOf(taken).replaceAll('\r\n', '\n').trim()).toBe('One\n.\nतीन')
})

test('anything but a single address never reaches the server: nobody gets a mail that was meant for somebody else', async () => {
  const before = smtp.taken.length
  for (const to of ['', 'nobody', 'a@example.com, b@example.com', 'a@example.com\r\nBcc: b@example.com', '<a@b>'])
    await expect(send(to), to).rejects.toBeInstanceOf(MailRefused)
  expect(smtp.taken).toHaveLength(before)
  expect(isMailAddress('ram.thapa+calls@mail.example.com')).toBe(true)
})

test('a refused recipient is final; a server that is busy, or wants another password, is not', async () => {
  smtp.refuse = (to) => (to.startsWith('gone') ? smtpError(550, 'no such user') : smtpError(451, 'try later'))
  await expect(send('gone@example.com')).rejects.toBeInstanceOf(MailRefused)
  const later = await send('busy@example.com').catch((error: unknown) => error)
  expect(later).toBeInstanceOf(MailNotTaken)
  smtp.refuse = () => null
  const stranger = smtpMail({ url: smtp.url.replace('ghanti:', 'other:'), from: 'calls@example.com' })
  const refused = await stranger.send({ to: 'a@example.com', subject: 'x', text: 'x' }).catch((error: unknown) => error)
  stranger.close()
  expect(refused).toMatchObject({ cause: { responseCode: 535 } })
  expect(refused).toBeInstanceOf(MailNotTaken)
})

test('a password is never sent in the clear to another machine', async () => {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.write('220 plain ESMTP\r\n')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      heard.push(bytes.toString())
      socket.write(/^EHLO/i.test(bytes.toString()) ? '250-plain\r\n250 AUTH PLAIN LOGIN\r\n' : '502 no\r\n')
    })
  })
  await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const elsewhere = smtpMail({ url: `smtp://ghanti:secret@0.0.0.0:${port}`, from: 'calls@example.com' })
  await expect(elsewhere.send({ to: 'a@example.com', subject: 'x', text: 'x' })).rejects.toThrow()
  elsewhere.close()
  expect(heard.join('')).toMatch(/STARTTLS/)
  expect(heard.join('')).not.toMatch(/AUTH/i)
})

test('attachments arrive unchanged, and the mail carries the link to unsubscribe', async () => {
  const content = Buffer.from('%PDF-1.7 not really')
  const attachments = [{ fileName: 'summary-7.pdf', type: 'application/pdf', content }]
  const stopLink = 'https://calls.example.com/summary-mails/no/7-x'
  await mail.send({ to: 'someone@example.com', subject: 'Summary', text: 'Attached', attachments, stopLink })
  const raw = smtp.taken.at(-1)?.raw ?? ''
  expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/calls\.example\.com\/summary-mails\/no\/7-x>/m)
  expect(raw).toMatch(/Content-Type: application\/pdf; name=summary-7\.pdf/)
  expect(raw).toContain(content.toString('base64'))
})

test('a server that cannot be reached took nothing; one that disconnects in the middle may have', async () => {
  const closed = createServer()
  await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening))
  const { port } = closed.address() as AddressInfo
  await new Promise((gone) => closed.close(gone))
  const failure = async (at: number) => {
    const away = smtpMail({ url: `smtp://127.0.0.1:${at}`, from: 'calls@example.com' })
    const error = await away.send({ to: 'a@example.com', subject: 'x', text: 'x' }).catch((error: unknown) => error)
    away.close()
    return error
  }
  expect(await failure(port)).toBeInstanceOf(MailNotTaken)
  const dying = createServer((socket) => {
    socket.write('220 here\r\n')
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const said = bytes.toString()
      if (/^DATA/i.test(said)) socket.write('354 go on\r\n')
      else if (said.endsWith('\r\n.\r\n')) socket.destroy()
      else socket.write('250 ok\r\n')
    })
  })
  await new Promise<void>((listening) => dying.listen(0, '127.0.0.1', listening))
  afterAll(() => dying.close())
  const unsure = await failure((dying.address() as AddressInfo).port)
  expect(unsure).toBeInstanceOf(Error)
  expect(unsure).not.toBeInstanceOf(MailNotTaken)
  expect(unsure).not.toBeInstanceOf(MailRefused)
})
