/** Request formats of aggregators in Nepal; they supply the address. */
export type HttpPreset = {
  name: 'form' | 'query' | 'json'
  method: 'GET' | 'POST'
  /** What follows the gateway's URL. */
  query: string
  headers: Readonly<Record<string, string>>
  body: string
  success: string
  messageId: string
}

const success = '$.response_code = 200'

export const httpPresets: readonly HttpPreset[] = [
  {
    name: 'form',
    method: 'POST',
    query: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
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
    headers: { 'content-type': 'application/json', authorization: 'Bearer {token}' },
    body: '{"from":"{from}","to":"{to}","text":"{text}"}',
    success: '$.id = *',
    messageId: '$.id',
  },
]
