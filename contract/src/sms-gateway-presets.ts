/** Request formats of aggregators in Nepal, which supply the address, and of Kannel. */
export type HttpPreset = {
  name: 'form' | 'query' | 'json' | 'kannel'
  method: 'GET' | 'POST'
  /** Where it usually listens; aggregators supply theirs. */
  url?: string
  /** What follows the gateway's URL. */
  query: string
  headers: Readonly<Record<string, string>>
  body: string
  success: string
  messageId: string
  receipt?: { id: string; status: string; delivered: string[]; failed: string[]; pending: string[] }
}

const success = '$.response_code = 200'

export const httpPresets: readonly HttpPreset[] = [
  {
    name: 'form',
    method: 'POST',
    query: '',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'token={token}&from={from}&to={to}&text={text}',
    success,
    messageId: '',
  },
  {
    name: 'query',
    method: 'GET',
    query: '?token={token}&from={from}&to={to}&text={text}',
    headers: {},
    body: '',
    success,
    messageId: '',
  },
  {
    name: 'json',
    method: 'POST',
    query: '',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer {token}' },
    body: '{"from":"{from}","to":"{to}","text":"{text}"}',
    success: '$.id = *',
    messageId: '$.id',
  },
  {
    // Its reply has no id, so receipts (dlr-url) come with ours. '0: Accepted for delivery' and '3: Queued for later delivery' are both success.
    name: 'kannel',
    method: 'GET',
    url: 'http://127.0.0.1:13013/cgi-bin/sendsms',
    query:
      '?username=ghanti&password={token}&from={from}&to=977{to}&text={text}&charset=UTF-8&coding={coding}&dlr-mask=31&dlr-url={callback}%26id%3D{id}%26status%3D%25d',
    headers: {},
    body: '',
    success: '*for*delivery*',
    messageId: '',
    receipt: { id: 'id', status: 'status', delivered: ['1'], failed: ['2', '16'], pending: ['4', '8'] },
  },
]
