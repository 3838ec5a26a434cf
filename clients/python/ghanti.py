# Ghanti for Python 3.9 and newer: one file, and nothing but the standard library.
#
# SPDX-License-Identifier: MIT
# Copyright (c) 2026 The Ghanti authors. Permission is hereby granted, free of charge, to use, copy, modify, publish,
# distribute and sell this file, provided that this notice stays in it. It comes without warranty of any kind.
"""Sends messages with Ghanti, reads what became of them, and verifies webhooks.

    from ghanti import Ghanti, GhantiError, verify

    ghanti = Ghanti('https://ghanti.example.com', key)
    sent = ghanti.send({'to': '9841234567', 'from': 'HIMALBANK', 'template': 12, 'values': {'code': 4711}})
    ghanti.message(sent['messageId'])['state']

    event = verify(secret, request.headers, request.get_data())   # in the receiver of a webhook
"""

import base64
import hashlib
import hmac
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

__all__ = ['Ghanti', 'GhantiError', 'verify']

# Nothing was done, or nobody knows.
_UNKNOWN = (502, 503, 504)
_MESSAGES = '/api/v1/messages'
_LONGEST_WAIT = 60
_OLDEST = 5 * 60


class GhantiError(Exception):
    """What Ghanti refused, or why it could not be asked.

    status: of the answer; 0 if there was none, or if a webhook is not genuine
    code, field: of the first error (docs of the API: error codes)
    errors: all of them, each {'field', 'code', 'text'}
    retry_after: seconds until another try makes sense, or None
    """

    def __init__(self, status, code, message, field=None, errors=(), retry_after=None):
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.field = field
        self.errors = list(errors)
        self.retry_after = retry_after


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Following one would show the key to whoever is named there."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


class Ghanti:
    """timeout: seconds for one try. tries: how often a request is sent at most."""

    def __init__(self, address, key, timeout=30, tries=5):
        self._address = address.rstrip('/')
        self._key = key
        self._timeout = timeout
        self._tries = tries
        self._opener = urllib.request.build_opener(_NoRedirect)

    def send(self, message, idempotency_key=None):
        """One message to one number: {'to', 'from', 'text' | 'template' + 'values', 'validSeconds', 'reference'}.

        Answers {'messageId', 'state', 'segments', 'cost'}. A name of your own as idempotency_key keeps a message from being sent
        twice even when your program starts again; without one, a new name is used for this call and its repeats.
        """
        return self.request('POST', _MESSAGES, message, idempotency_key)

    def message(self, message_id):
        """What became of a message."""
        return self.request('GET', _MESSAGES + '/' + urllib.parse.quote(str(message_id), safe=''))

    def messages(self, reference):
        """The newest hundred messages with this reference."""
        return self.request('GET', _MESSAGES, {'reference': reference})

    def events(self, after=0):
        """What happened since: {'events', 'next'}, at most 20 events; 'next' is the next after."""
        return self.request('GET', '/api/v1/events', {'after': after})

    def request(self, method, path, fields=None, idempotency_key=None):
        """Any other call of the API. fields: the query of a GET or DELETE, the body of a POST.

        A call that reads is repeated when its answer is lost; another change only after a 429, since not all answers are kept
        for a repeat, such as those with a secret.
        """
        is_harmless = method == 'GET' or path == _MESSAGES
        url = self._address + path
        headers = {'authorization': 'Bearer ' + self._key, 'accept': 'application/json'}
        body = None
        if method == 'POST':
            body = json.dumps(fields or {}).encode('utf-8')
            headers['content-type'] = 'application/json'
        elif fields:
            url += '?' + urllib.parse.urlencode(fields)
        if method != 'GET':
            headers['idempotency-key'] = idempotency_key or str(uuid.uuid4())
        for this_try in range(1, self._tries + 1):
            try:
                return self._once(method, url, headers, body)
            except GhantiError as error:
                if this_try == self._tries or not _may_repeat(error, is_harmless):
                    raise
                wait = error.retry_after
                if wait is None:
                    wait = 0.5 * 2 ** (this_try - 1) * random.uniform(0.8, 1.2)
                if wait > _LONGEST_WAIT:
                    raise
            time.sleep(wait)

    def _once(self, method, url, headers, body):
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as reply:
                return json.loads(reply.read().decode('utf-8'))
        except urllib.error.HTTPError as reply:
            with reply:
                raise _refusal(reply) from None
        except (OSError, http.client.HTTPException, ValueError) as cause:
            raise GhantiError(0, 'lost', 'no answer from {}: {}'.format(self._address, cause)) from cause


def _may_repeat(error, is_harmless):
    return error.status == 429 or is_harmless and (error.status in _UNKNOWN or error.code in ('lost', 'in_flight'))


def _is_number(text):
    return text.isascii() and text.isdigit()


def _refusal(reply):
    try:
        said = json.loads(reply.read().decode('utf-8'))
    except (OSError, http.client.HTTPException, ValueError):
        said = {}
    if not isinstance(said, dict):
        said = {}
    errors = said.get('errors') or []
    first = errors[0] if errors else {}
    sentences = ['{} {}'.format(one.get('field'), one.get('text')) for one in errors]
    message = '; '.join(sentences) or said.get('message') or 'answered {}'.format(reply.code)
    after = reply.headers.get('retry-after', '')
    retry_after = int(after) if _is_number(after) else None
    return GhantiError(reply.code, first.get('code'), message, first.get('field'), errors, retry_after)


def verify(secret, headers, body, now=None):
    """The event of a webhook, {'eventId', 'type', 'timestamp', 'data'}, if Ghanti sent it in the last five minutes.

    headers: of the request, a mapping by name in any case. body: its bytes, as they arrived. Raises GhantiError otherwise.
    An event may arrive more than once, always with the same eventId.
    """
    found = {str(name).lower(): value for name, value in headers.items()}
    event_id, timestamp = found.get('webhook-id'), found.get('webhook-timestamp')
    signatures = found.get('webhook-signature')
    if not event_id or not timestamp or not signatures:
        raise GhantiError(0, 'signature_missing', 'the request is not signed')
    if not _is_number(timestamp) or abs((time.time() if now is None else now) - int(timestamp)) > _OLDEST:
        raise GhantiError(0, 'timestamp_old', 'the request was not sent in the last five minutes')
    if isinstance(body, str):
        body = body.encode('utf-8')
    name, _, written = secret.partition('_')
    try:
        key = base64.b64decode(written, validate=True) if name == 'whsec' else b''
    except ValueError:
        key = b''
    if not key:
        raise GhantiError(0, 'secret', 'the secret must begin with whsec_')
    signed = '{}.{}.'.format(event_id, timestamp).encode('utf-8') + body
    wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = [one[3:].encode('utf-8') for one in signatures.split(' ') if one.startswith('v1,')]
    if not any([hmac.compare_digest(one, wanted) for one in given]):
        raise GhantiError(0, 'signature_wrong', 'the signature is wrong')
    try:
        event = json.loads(body.decode('utf-8'))
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise GhantiError(0, 'body', 'the body is no event')
    return {**event, 'eventId': event_id}
