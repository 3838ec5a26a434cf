import { bodyOf, indented, literal, type Examples } from './example.ts'

/** As people write it: names without quotes where they need none. */
const object = (value: unknown): string => literal(value).replace(/^( +)"([A-Za-z_]\w*)":/gm, '$1$2:')

export const typescript: Examples = {
  install: ({ address }) => `npm install ${address}/api/v1/clients/ghanti-typescript.tgz`,
  send: (of) => `import { createGhanti } from '@ghanti/client'

const ghanti = createGhanti({ address: ${literal(of.address)}, key: process.env.GHANTI_KEY })

const sent = await ghanti.send(
  ${indented(object(bodyOf(of)), '  ')},
  { idempotencyKey: ${literal(of.reference)} },
)
console.log(sent.messageId, sent.state, sent.cost)`,
  read: ({ messageId }) => `const message = await ghanti.message(${literal(messageId)})
console.log(message.state, message.reason)`,
  find: ({ reference }) => `for (const message of await ghanti.messages({ reference: ${literal(reference)} }))
  console.log(message.messageId, message.state)`,
  events: () => `let after = 0 // keep it where the program finds it again
const { events, next } = await ghanti.events({ after })
for (const { type, data } of events) console.log(type, data)
after = next`,
  verify: () => `import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '@ghanti/client'

createServer(async (request, response) => {
  try {
    const event = verifyWebhook(process.env.GHANTI_WEBHOOK_SECRET, request.headers, await text(request))
    console.log(event.type, event.data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end() // forged, or too old
  }
}).listen(8080)`,
}
