import * as fs from 'node:fs/promises'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { demoAccountExists } from '../auth/actions.ts'
import * as store from './store.ts'

/** An unknown host is the platform's. */
async function brandOf(app: App, hostname: string): Promise<store.Brand> {
  const own = await store.byHost(app.db, hostname.toLowerCase())
  return own ?? (await store.ofPlatform(app.db)) ?? { company: 'Ghanti', logoHash: null, primaryColour: null }
}

export const brandingHandlers: Handlers<'branding'> = {
  async byHost({ app }, { hostname }) {
    const brand = await brandOf(app, hostname)
    const logoUrl = brand.logoHash === null ? null : `/api/obd/branding/${encodeURIComponent(hostname)}/logo`
    const demo = await demoAccountExists(app.db)
    return { company: brand.company, logoUrl, primaryColour: brand.primaryColour, demo }
  },

  async logo({ app }, { hostname }) {
    const { logoHash } = await brandOf(app, hostname)
    if (logoHash === null) throw new AppError('not_found')
    const type = await imageTypeOf(await app.files.pathOf(logoHash))
    return { type, fileName: `logo.${type.slice(6)}`, inline: true, body: { hash: logoHash }, cache: 'public' }
  },
}

/** By content; nothing that could hold a script is served as a picture. */
async function imageTypeOf(path: string): Promise<string> {
  const handle = await fs.open(path, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0)
    if (buffer.subarray(0, 4).toString('latin1') === '\x89PNG') return 'image/png'
    if (buffer.subarray(0, 3).toString('hex') === 'ffd8ff') return 'image/jpeg'
    if (buffer.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp'
    return 'application/octet-stream'
  } finally {
    await handle.close()
  }
}
