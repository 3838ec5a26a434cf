import { beforeEach } from 'vitest'
import { commands } from 'vitest/browser'

declare module 'vitest/browser' {
  interface BrowserCommands {
    pointerAway(): Promise<void>
  }
}

beforeEach(() => commands.pointerAway())
