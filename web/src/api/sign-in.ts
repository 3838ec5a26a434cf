import type { ReplyOf } from '@ghanti/contract/route.ts'
import { signInRoutes } from '@ghanti/contract/sign-in.ts'
import { call, type SentOf } from './client.ts'
import { signedIn } from './session.ts'

/** The password is right, and the account has a second factor. */
export type Half = Extract<ReplyOf<typeof signInRoutes.login>, { ticket: string }>
export type Proof = Omit<SentOf<typeof signInRoutes.loginFactor>, 'ticket'>

/** Null once the console opens. */
export async function login(username: string, password: string): Promise<Half | null> {
  const reply = await call(signInRoutes.login, { username, password })
  if ('ticket' in reply) return reply
  await signedIn(reply.userid)
  return null
}

export async function prove({ ticket }: Half, proof: Proof): Promise<void> {
  const { userid } = await call(signInRoutes.loginFactor, { ticket, ...proof })
  await signedIn(userid)
}
