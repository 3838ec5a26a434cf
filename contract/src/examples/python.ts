import { bodyOf, indented, literal, type Examples } from './example.ts'

export const python: Examples = {
  install: ({ address }) => `curl -O ${address}/api/v1/clients/ghanti.py`,
  send: (of) => `import os
from ghanti import Ghanti

ghanti = Ghanti(${literal(of.address)}, os.environ["GHANTI_KEY"])

sent = ghanti.send(
    ${indented(literal(bodyOf(of), 4), '    ')},
    idempotency_key=${literal(of.reference)},
)
print(sent["messageId"], sent["state"], sent["cost"])`,
  read: ({ messageId }) => `message = ghanti.message(${literal(messageId)})
print(message["state"], message["reason"])`,
  find: ({ reference }) => `for message in ghanti.messages(reference=${literal(reference)}):
    print(message["messageId"], message["state"])`,
  events: () => `after = 0  # keep it where the program finds it again
page = ghanti.events(after=after)
for event in page["events"]:
    print(event["type"], event["data"])
after = page["next"]`,
  verify: () => `import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from ghanti import GhantiError, verify

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify(os.environ["GHANTI_WEBHOOK_SECRET"], self.headers, body)
            print(event["type"], event["data"])
            self.send_response(204)
        except GhantiError:
            self.send_response(400)  # forged, or too old
        self.end_headers()

HTTPServer(("", 8080), Receiver).serve_forever()`,
}
