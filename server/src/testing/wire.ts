import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import type { ReplyOf, Route } from '@ghanti/contract/route.ts'
import * as z from 'zod/mini'

/** Somebody who signed in over HTTP, like any program that uses the API. */
export type Caller = {
  userId: number
  /** With the session's token. */
  headers: Readonly<Record<string, string>>
  /** Returns the reply as the contract types it. Throws with the server's words when it is refused. */
  ask<R extends Route>(route: R, input?: WireInput): Promise<ReplyOf<R>>
  /** The refusal: status, message, and which field and why. Throws when the request succeeds. */
  refusal(route: Route, input?: WireInput): Promise<Refusal>
  /** Returns the raw response, for files and headers. */
  send(route: Route, input?: WireInput): Promise<Response>
}
type WireInput = Readonly<Record<string, unknown>>
type Refusal = { status: number; message: string; errors: { field: string; code: string; text: string }[] }

const RefusalBody = z.object({
  message: z.string(),
  errors: z._default(z.array(z.object({ field: z.string(), code: z.string(), text: z.string() })), []),
})

export async function signInOver(address: string, username: string, password: string): Promise<Caller> {
  const anonymous = callerOver(address, {}, 0)
  const reply = await anonymous.ask(signInRoutes.login, { username, password })
  if (!('token' in reply)) throw new Error(`${username}: ${reply.message}`)
  return callerOver(address, { authorization: `Bearer ${reply.token}` }, reply.userid)
}

/** Somebody whose session's headers are known. */
export function callerOver(address: string, headers: Readonly<Record<string, string>>, userId: number): Caller {
  const send: Caller['send'] = (route, input = {}) => {
    const { path, rest } = addressOf(route, input)
    const { body, type } = bodyOf(route, rest)
    return fetch(`${address}${path}`, { method: route.method, headers: { ...headers, ...type }, body })
  }
  return {
    userId,
    headers,
    send,
    async ask<R extends Route>(route: R, input?: WireInput) {
      const reply = await send(route, input)
      if (!reply.ok) throw new Error(`${route.path}: ${reply.status} ${await reply.text()}`)
      return z.parse<R['reply']>(route.reply, await reply.json())
    },
    async refusal(route, input) {
      const reply = await send(route, input)
      if (reply.ok) throw new Error(`${route.path} was not refused`)
      return { status: reply.status, ...z.parse(RefusalBody, await reply.json()) }
    },
  }
}

/** Puts parameters into the path, and on GET the rest into the query; `rest` is the body. */
function addressOf(route: Route, input: WireInput): { path: string; rest: WireInput } {
  const rest: Record<string, unknown> = { ...input }
  const filled = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (route.method !== 'GET') return { path: filled, rest }
  const query = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]))
  return { path: query.size > 0 ? `${filled}?${query}` : filled, rest: {} }
}

function bodyOf(route: Route, rest: WireInput): { body: FormData | string | null; type: Record<string, string> } {
  if (route.method === 'GET') return { body: null, type: {} }
  if (route.kind !== 'upload') return { body: JSON.stringify(rest), type: { 'content-type': 'application/json' } }
  const form = new FormData()
  for (const [name, value] of Object.entries(rest))
    if (value instanceof File) form.append(name, value)
    else form.append(name, String(value))
  return { body: form, type: {} }
}
