import { authRoutes } from '@ghanti/contract/auth.ts'
import { roleOfWire, type Role } from '@ghanti/contract/roles.ts'
import type { ReplyOf } from '@ghanti/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { basePath } from './base.ts'
import { call, onOwnerAsked, saysSessionIsOver } from './client.ts'
import { endWait, isSessionEnded, waitFor } from './ended-session.ts'
import { pageOwner, setPageOwner } from './page-owner.ts'
import { queryClient } from './query.ts'

export type Session = Omit<ReplyOf<typeof authRoutes.session>, 'role'> & { role: Role }

const sessionKey = ['session']

/**
 * The server sets the cookie `role` beside its session cookie, which scripts cannot read. Without it nobody is signed in, and no request is
 * needed.
 */
export function mayBeSignedIn(): boolean {
  return /(?:^|; )role=./.test(document.cookie)
}

/** The page asks for the session by itself where it was opened with a cookie, and a refusal takes the cookie away before any script runs. */
function asksBySelf(): boolean {
  return document.querySelector(`link[rel=preload][href$="${authRoutes.session.path}"]`) !== null
}

/** Null when signed out. The cookie is the session; the console stores none. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Session | null> => {
    const shown = queryClient.getQueryData<Session | null>(sessionKey)
    // A page in use whose cookie is gone asks, too: it was refused something, or the cookie is too old.
    const asks = shown === undefined ? asksBySelf() : shown !== null
    if (!asks && !mayBeSignedIn()) return null
    try {
      // Refused once another tab has signed in as another account: the page stays the first one's until it is loaded again.
      const session = await call(authRoutes.session, {}, { signal })
      return { ...session, role: roleOfWire[session.role] }
    } catch (error) {
      if (saysSessionIsOver(error)) return null
      throw error
    }
  },
  staleTime: 30_000,
  refetchOnWindowFocus: true,
})

setPageOwner(() => queryClient.getQueryData(sessionQuery.queryKey)?.userId ?? null)

/** Null outside the signed-in console; screens use useSession(). */
export const SessionContext = createContext<Session | null>(null)
export const SessionProvider = SessionContext.Provider

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('Only for screens behind the sign-in')
  return session
}

export function setBalance(balance: NonNullable<Session['balance']>): void {
  queryClient.setQueryData<Session | null>(sessionKey, (session) => session && { ...session, balance })
}

/**
 * Live events report stopped dialling. Queries with `meta: { dependsOnDialling: true }` are reloaded and keep their old data until then.
 */
export function setStopped(stopped: Session['stopped']): void {
  queryClient.setQueryData<Session | null>(sessionKey, (session) => session && { ...session, stopped })
  void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['dependsOnDialling'] === true })
}

/** Resolves when what it says is on screen. */
export function refreshSession(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: sessionKey })
}

function forgetEverything(): void {
  const others = {
    predicate: (query: { queryKey: readonly unknown[] }) =>
      query.queryKey[0] !== sessionKey[0] && query.queryKey[0] !== 'branding',
  }
  void queryClient.cancelQueries(others)
  queryClient.removeQueries(others)
  queryClient.getMutationCache().clear()
}

/** Leads to the start, where the login is. */
function signedOut(): void {
  void queryClient.cancelQueries({ queryKey: sessionKey })
  window.history.replaceState(null, '', `${basePath}/`)
  queryClient.setQueryData(sessionKey, null)
  endWait(false)
  forgetEverything()
}

/** Signing out also deletes drafts; a session that the server ended keeps them. */
function signOutHere(): void {
  signedOut()
  try {
    sessionStorage.clear()
  } catch {
    // Storage may be forbidden, and then holds nothing.
  }
}

const tabs = new BroadcastChannel('session')
/** Tells the other tabs of this browser which account has signed in; null: signed out. */
function tell(userId: number | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
  tabs.postMessage(userId)
}
tabs.addEventListener('message', ({ data: userId }: MessageEvent<number | null>) => {
  if (userId === null) signOutHere()
  else if (isSessionEnded() && userId === pageOwner()) goOn()
})

/** What waited for the sign-in is done, and what is shown is read again. */
function goOn(): void {
  endWait(true)
  void queryClient.invalidateQueries()
}

/** What is refused because of a sign-out under way opens no sign-in. */
let isSigningOut = false

/** A page that was in use keeps what it shows, and asks for a sign-in; one that was only being opened leads to the login (specification 1 §4). */
onOwnerAsked((what) => {
  const session = queryClient.getQueryData<Session | null>(sessionKey)
  if (session && !isSigningOut) return waitFor(what, session.username)
  if (!isSigningOut && what === 'sign-in') signedOut()
  return Promise.resolve(false)
})

/** The cookie is there: tells the other tabs, does what waited, and shows the console. */
export async function signedIn(userId: number): Promise<void> {
  tell(userId)
  if (isSessionEnded()) goOn()
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/** Gives up what the page shows and waits for, for the login. */
export function leaveEndedSession(): void {
  window.location.assign(`${basePath}/`)
}

export async function logout(): Promise<void> {
  isSigningOut = true
  try {
    await call(authRoutes.logout, {})
    tell(null)
    signOutHere()
  } finally {
    isSigningOut = false
  }
}
