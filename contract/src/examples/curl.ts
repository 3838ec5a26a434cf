import { bodyOf, literal, type Examples } from './example.ts'

/** Between single quotes a shell reads everything but those. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const key = '  -H "Authorization: Bearer $GHANTI_KEY"'

export const curl: Examples = {
  install: () => `# The key that your program shows with each request
export GHANTI_KEY=gh_live_…`,
  send: (of) => `curl -X POST ${of.address}/api/v1/messages \\
${key} \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: ${of.reference}" \\
  -d ${quoted(literal(bodyOf(of)))}`,
  read: (of) => `curl ${of.address}/api/v1/messages/${of.messageId} \\
${key}`,
  find: (of) => `curl "${of.address}/api/v1/messages?reference=${encodeURIComponent(of.reference)}" \\
${key}`,
  events: (of) => `# 'next' of the answer is the next 'after'
curl "${of.address}/api/v1/events?after=0" \\
${key}`,
  verify: () => `# $ID, $TIMESTAMP, $SIGNATURE: the headers webhook-id, webhook-timestamp and webhook-signature
# body.json: the body, byte for byte; refuse a timestamp that is older than five minutes
SECRET=$(printf %s "\${GHANTI_WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
EXPECTED=$({ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$SECRET" -binary | base64)
case " $SIGNATURE " in *" v1,$EXPECTED "*) echo genuine ;; *) echo forged ;; esac`,
}
