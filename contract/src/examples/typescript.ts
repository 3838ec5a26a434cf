import { bodyOf, indented, literal, type Examples } from './example.ts'

/** As people write it: names without quotes where they need none. */
const object = (value: unknown): string => literal(value).replace(/^( +)"([A-Za-z_]\w*)":/gm, '$1$2:')

const asked = (path: string): string => `fetch(\`\${address}${path}\`, { headers: { authorization } })`

export const typescript: Examples = {
  install: ({ address }) => `const address = ${literal(address)}
const authorization = \`Bearer \${process.env.GHANTI_KEY}\``,
  send: (of) => `const answer = await fetch(\`\${address}/api/v1/messages\`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json', 'idempotency-key': ${literal(of.reference)} },
  body: JSON.stringify(${indented(object(bodyOf(of)), '  ')}),
})
const sent = await answer.json()
if (!answer.ok) throw new Error(sent.message)
console.log(sent.messageId, sent.state, sent.cost)`,
  read: ({ messageId }) => `const read = await ${asked(`/api/v1/messages/${messageId}`)}
const message = await read.json()
console.log(message.state, message.reason)`,
  find: ({ reference }) => `const found = await ${asked(`/api/v1/messages?reference=${encodeURIComponent(reference)}`)}
for (const message of await found.json()) console.log(message.messageId, message.state)`,
  events: () => `let after = 0 // keep it where the program finds it again
const told = await ${asked('/api/v1/events?after=${after}')}
const { events, next } = await told.json()
for (const { type, data } of events) console.log(type, data)
after = next`,
  verify: () => `// npm install standardwebhooks
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.GHANTI_WEBHOOK_SECRET)
createServer(async (request, response) => {
  try {
    const event = webhook.verify(await text(request), request.headers)
    console.log(event.type, event.data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end() // forged, or too old
  }
}).listen(8080)`,
}
