import type { UserValues } from './user-form.ts'

/** What whoever created an account tells its owner. It is kept in memory alone, because it has the password. */
export type Welcome = Pick<UserValues, 'name' | 'username' | 'invite' | 'emailid' | 'password' | 'credits' | 'cliShown'>

let welcome: Welcome | null = null
const listeners = new Set<() => void>()

export function setWelcome(next: Welcome | null): void {
  welcome = next
  listeners.forEach((listener) => listener())
}

export const welcomeStore = {
  get: () => welcome,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
