/** `fetch` for uploads with progress from 0 to 1, which fetch itself cannot report. Rejects like fetch: TypeError, AbortError. */
export function fetchWithProgress(
  address: string,
  init: RequestInit & { body: FormData },
  onProgress: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'POST', address)
    request.responseType = 'blob'
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.upload.addEventListener('progress', ({ loaded, total }) => total > 0 && onProgress(loaded / total))
    request.addEventListener('load', () => resolve(responseOf(request)))
    request.addEventListener('error', () => reject(new TypeError('the upload was cut')))
    request.addEventListener('abort', () => reject(new DOMException('the upload was cancelled', 'AbortError')))
    init.signal?.addEventListener('abort', () => request.abort())
    request.send(init.body)
  })
}

function responseOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean)
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ')
    return [name, value.join(': ')]
  })
  const body: unknown = request.response
  return new Response(body instanceof Blob && body.size > 0 ? body : null, {
    status: request.status,
    statusText: request.statusText,
    headers,
  })
}
