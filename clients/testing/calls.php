<?php
/** Makes the calls that its argument lists, one after the other, and prints what came of each: see clients.test.ts. */
declare(strict_types=1);

require getenv('GHANTI_PHP');

$asked = json_decode($argv[1], true);
$ghanti = new Ghanti($asked['address'], 'gh_live_test', timeout: $asked['timeout'], tries: 2);

$made = fn (array $call): array => match ($call['name']) {
    'send' => $ghanti->send($call['given'], idempotencyKey: $call['idempotencyKey'] ?? null),
    'rotate' => $ghanti->request('POST', '/api/v1/hooks/rotate', $call['given']),
    'message' => $ghanti->message($call['given']),
    'messages' => $ghanti->messages(reference: $call['given']),
    'events' => $ghanti->events(after: $call['given']),
    'verify' => Ghanti::verify($call['secret'], $call['headers'], $call['body']),
};

foreach ($asked['calls'] as $call) {
    try {
        $came = ['answer' => $made($call)];
    } catch (GhantiError $error) {
        $came = [
            'status' => $error->status,
            'code' => $error->code,
            'field' => $error->field,
            'message' => $error->getMessage(),
            'retryAfter' => $error->retryAfter,
        ];
    }
    echo json_encode($came, JSON_UNESCAPED_UNICODE), "\n";
}
