import { bodyOf, type Examples } from './example.ts'

/** Between single quotes PHP reads everything but those and a backslash. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`

function array(of: Readonly<Record<string, unknown>>, depth: string): string {
  const lines = Object.entries(of).map(([name, value]) => {
    const said =
      typeof value === 'number'
        ? String(value)
        : typeof value === 'string'
          ? quoted(value)
          : array(value as Readonly<Record<string, unknown>>, `${depth}    `)
    return `${depth}    ${quoted(name)} => ${said},\n`
  })
  return `[\n${lines.join('')}${depth}]`
}

export const php: Examples = {
  install: ({ address }) => `curl -O ${address}/api/v1/clients/ghanti.php`,
  send: (of) => `<?php
require 'ghanti.php';

$ghanti = new Ghanti(${quoted(of.address)}, getenv('GHANTI_KEY'));

$sent = $ghanti->send(${array(bodyOf(of), '')}, idempotencyKey: ${quoted(of.reference)});
echo $sent['messageId'], ' ', $sent['state'], ' ', $sent['cost'], PHP_EOL;`,
  read: ({ messageId }) => `$message = $ghanti->message(${quoted(messageId)});
echo $message['state'], ' ', $message['reason'], PHP_EOL;`,
  find: ({ reference }) => `foreach ($ghanti->messages(reference: ${quoted(reference)}) as $message) {
    echo $message['messageId'], ' ', $message['state'], PHP_EOL;
}`,
  events: () => `$after = 0; // keep it where the program finds it again
$page = $ghanti->events(after: $after);
foreach ($page['events'] as $event) {
    echo $event['type'], ' ', json_encode($event['data']), PHP_EOL;
}
$after = $page['next'];`,
  verify: () => `<?php
require 'ghanti.php';

try {
    $event = Ghanti::verify(getenv('GHANTI_WEBHOOK_SECRET'), getallheaders(), file_get_contents('php://input'));
    error_log($event['type'] . ' ' . json_encode($event['data']));
    http_response_code(204);
} catch (GhantiError) {
    http_response_code(400); // forged, or too old
}`,
}
