<?php
/*
 * Ghanti for PHP 8.1 and newer: one file, and nothing but the standard library.
 *
 * SPDX-License-Identifier: MIT
 * Copyright (c) 2026 The Ghanti authors. Permission is hereby granted, free of charge, to use, copy, modify, publish,
 * distribute and sell this file, provided that this notice stays in it. It comes without warranty of any kind.
 *
 *   require 'ghanti.php';
 *   $ghanti = new Ghanti('https://ghanti.example.com', $key);
 *   $sent = $ghanti->send(['to' => '9841234567', 'from' => 'HIMALBANK', 'template' => 12, 'values' => ['code' => 4711]]);
 *   $ghanti->message($sent['messageId'])['state'];
 *
 *   $event = Ghanti::verify($secret, getallheaders(), file_get_contents('php://input'));   // in the receiver of a webhook
 */
declare(strict_types=1);

/** What Ghanti refused, or why it could not be asked. */
final class GhantiError extends RuntimeException
{
    /** @var ?string of the first error: the API's error codes say what each means */
    public $code;
    /** @var string */
    public $message;

    /**
     * @param int $status of the answer; 0 if there was none, or if a webhook is not genuine
     * @param ?string $field of the first error
     * @param list<array{field: string, code: string, text: string}> $errors all of them
     * @param ?int $retryAfter seconds until another try makes sense
     */
    public function __construct(
        public readonly int $status,
        ?string $code,
        string $message,
        public readonly ?string $field = null,
        public readonly array $errors = [],
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct($message);
        $this->code = $code;
    }
}

final class Ghanti
{
    /** Nothing was done, or nobody knows. */
    private const UNKNOWN = [502, 503, 504];
    private const MESSAGES = '/api/v1/messages';
    private const LONGEST_WAIT = 60;
    private const OLDEST = 5 * 60;

    private readonly string $address;

    /**
     * @param float $timeout seconds for one try
     * @param int $tries how often a request is sent at most
     */
    public function __construct(
        string $address,
        #[\SensitiveParameter] private readonly string $key,
        private readonly float $timeout = 30,
        private readonly int $tries = 5,
    ) {
        $this->address = rtrim($address, '/');
    }

    /**
     * One message to one number: `to`, `from`, `text` or `template` with `values`, `validSeconds`, `reference`.
     * Answers `messageId`, `state`, `segments` and `cost`. A name of your own as $idempotencyKey keeps a message from being sent
     * twice even when your program starts again; without one, a new name is used for this call and its repeats.
     */
    public function send(array $message, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', self::MESSAGES, $message, $idempotencyKey);
    }

    /** What became of a message. */
    public function message(string $messageId): array
    {
        return $this->request('GET', self::MESSAGES . '/' . rawurlencode($messageId));
    }

    /** The newest hundred messages with this reference. */
    public function messages(string $reference): array
    {
        return $this->request('GET', self::MESSAGES, ['reference' => $reference]);
    }

    /** What happened since: `events`, at most 20, and `next`, which is the next $after. */
    public function events(int $after = 0): array
    {
        return $this->request('GET', '/api/v1/events', ['after' => $after]);
    }

    /**
     * Any other call of the API. $fields: the query of a GET or DELETE, the body of a POST. A call that reads is repeated when its
     * answer is lost; another change only after a 429, since not all answers are kept for a repeat, such as those with a secret.
     */
    public function request(string $method, string $path, array $fields = [], ?string $idempotencyKey = null): array
    {
        $isHarmless = $method === 'GET' || $path === self::MESSAGES;
        $url = $this->address . $path;
        $headers = ['Authorization: Bearer ' . $this->key, 'Accept: application/json', 'Connection: close'];
        $body = null;
        if ($method === 'POST') {
            $body = json_encode((object) $fields, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
            $headers[] = 'Content-Type: application/json';
        } elseif ($fields !== []) {
            $url .= '?' . http_build_query($fields);
        }
        if ($method !== 'GET') {
            $headers[] = 'Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)));
        }
        for ($try = 1; ; $try++) {
            try {
                return $this->once($method, $url, $headers, $body);
            } catch (GhantiError $error) {
                $wait = $error->retryAfter ?? 0.5 * 2 ** ($try - 1) * random_int(80, 120) / 100;
                if ($try >= $this->tries || !self::mayRepeat($error, $isHarmless) || $wait > self::LONGEST_WAIT) {
                    throw $error;
                }
            }
            usleep((int) ($wait * 1_000_000));
        }
    }

    private static function mayRepeat(GhantiError $error, bool $isHarmless): bool
    {
        $isUnknown = in_array($error->status, self::UNKNOWN, true) || in_array($error->code, ['lost', 'in_flight'], true);
        return $error->status === 429 || ($isHarmless && $isUnknown);
    }

    /** @param list<string> $headers */
    private function once(string $method, string $url, array $headers, ?string $body): array
    {
        $options = [
            'method' => $method,
            'header' => $headers,
            'timeout' => $this->timeout,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            'follow_location' => 0, // it would show the key to whoever is named there
        ];
        if ($body !== null) {
            $options['content'] = $body;
        }
        $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw $this->lost(error_get_last()['message'] ?? 'it cannot be reached');
        }
        try {
            $text = (string) stream_get_contents($stream);
            $about = stream_get_meta_data($stream);
        } finally {
            fclose($stream);
        }
        [$status, $received] = self::head($about['wrapper_data'] ?? []);
        if ($about['timed_out'] || $status === 0) {
            throw $this->lost('it did not answer in time');
        }
        $said = json_decode($text, true);
        if ($status >= 200 && $status < 300) {
            return is_array($said) ? $said : throw $this->lost('its answer broke off');
        }
        throw self::refusal($status, is_array($said) ? $said : [], $received['retry-after'] ?? '');
    }

    private function lost(string $why): GhantiError
    {
        return new GhantiError(0, 'lost', "no answer from {$this->address}: {$why}");
    }

    /**
     * @param list<string> $lines
     * @return array{int, array<string, string>} the status, and the headers by name
     */
    private static function head(array $lines): array
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
                $status = (int) $found[1];
                $headers = [];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
        }
        return [$status, $headers];
    }

    private static function refusal(int $status, array $said, string $retryAfter): GhantiError
    {
        $errors = $said['errors'] ?? [];
        $sentences = array_map(fn (array $one): string => "{$one['field']} {$one['text']}", $errors);
        $message = implode('; ', $sentences) ?: ($said['message'] ?? "answered {$status}");
        $seconds = ctype_digit($retryAfter) ? (int) $retryAfter : null;
        return new GhantiError($status, $errors[0]['code'] ?? null, $message, $errors[0]['field'] ?? null, $errors, $seconds);
    }

    /**
     * The event of a webhook (`eventId`, `type`, `timestamp`, `data`), if Ghanti sent it in the last five minutes; otherwise throws
     * GhantiError. An event may arrive more than once, always with the same eventId.
     *
     * @param array<string, string|list<string>> $headers of the request, by name in any case
     * @param string $body as it arrived
     */
    public static function verify(#[\SensitiveParameter] string $secret, array $headers, string $body, ?int $now = null): array
    {
        $first = fn (string|array $value): string => is_array($value) ? (string) ($value[0] ?? '') : $value;
        $found = array_map($first, array_change_key_case($headers));
        $id = $found['webhook-id'] ?? '';
        $timestamp = $found['webhook-timestamp'] ?? '';
        $signatures = $found['webhook-signature'] ?? '';
        if ($id === '' || $timestamp === '' || $signatures === '') {
            throw new GhantiError(0, 'signature_missing', 'the request is not signed');
        }
        if (!ctype_digit($timestamp) || abs(($now ?? time()) - (int) $timestamp) > self::OLDEST) {
            throw new GhantiError(0, 'timestamp_old', 'the request was not sent in the last five minutes');
        }
        $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
        if ($key === false || $key === '') {
            throw new GhantiError(0, 'secret', 'the secret must begin with whsec_');
        }
        $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "{$id}.{$timestamp}.{$body}", $key, true));
        $isGenuine = false;
        foreach (explode(' ', $signatures) as $given) {
            $isGenuine = hash_equals($wanted, $given) || $isGenuine;
        }
        if (!$isGenuine) {
            throw new GhantiError(0, 'signature_wrong', 'the signature is wrong');
        }
        $event = json_decode($body, true);
        if (!is_array($event) || !isset($event['type'])) {
            throw new GhantiError(0, 'body', 'the body is no event');
        }
        return [...$event, 'eventId' => $id];
    }
}
