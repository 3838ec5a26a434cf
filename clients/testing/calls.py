"""Makes the calls that its argument lists, one after the other, and prints what came of each: see clients.test.ts."""

import json
import sys

from ghanti import Ghanti, GhantiError, verify

asked = json.loads(sys.argv[1])
ghanti = Ghanti(asked['address'], 'gh_live_test', timeout=asked['timeout'], tries=2)


def made(call):
    name, given = call['name'], call.get('given')
    if name == 'send':
        return ghanti.send(given, idempotency_key=call.get('idempotencyKey'))
    if name == 'rotate':
        return ghanti.request('POST', '/api/v1/hooks/rotate', given)
    if name == 'message':
        return ghanti.message(given)
    if name == 'messages':
        return ghanti.messages(reference=given)
    if name == 'events':
        return ghanti.events(after=given)
    return verify(call['secret'], call['headers'], call['body'].encode('utf-8'))


for call in asked['calls']:
    try:
        came = {'answer': made(call)}
    except GhantiError as error:
        came = {
            'status': error.status,
            'code': error.code,
            'field': error.field,
            'message': str(error),
            'retryAfter': error.retry_after,
        }
    print(json.dumps(came))
