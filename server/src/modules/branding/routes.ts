import { messages } from '@ghanti/contract/messages.ts'
import { AppError } from '../../errors.ts'
import type { Handlers } from '../../http/types.ts'
import { brandOfHost, confirmDomain, logoUrlOf, readLogo, refuseDomain, saveBrand } from './actions.ts'
import { withFiles } from '../files/actions.ts'
import { isLogoType, logoEnding } from './rules-logo.ts'
import * as store from './store.ts'

export const brandingHandlers: Handlers<'branding'> = {
  async byHost({ app }, { hostname }) {
    return brandOfHost(app, hostname)
  },

  async logo({ app }, { logo }) {
    const [hash = '', ending] = logo.split('.')
    const type = await store.logoTypeOf(app.db, hash)
    if (type === undefined || !isLogoType(type) || logoEnding[type] !== ending) throw new AppError('not_found')
    return { type, fileName: `logo.${ending}`, inline: true, body: { hash }, cache: 'forever' }
  },
}

export const brandHandlers: Handlers<'brands'> = {
  async own({ app, viewer }) {
    if (viewer.role !== 'superAdmin') {
      const { logoHash, logoType, ...brand } = await store.ofAccount(app.db, viewer.userId)
      return { ...brand, logoUrl: logoUrlOf({ logoHash, logoType }) }
    }
    const { company, primaryColour, logoUrl } = await brandOfHost(app, '')
    return { company, primaryColour, logoUrl, domain: null, waiting: null, refused: null }
  },

  async save(ctx, { company, domain, primaryColour = null, removeLogo }, { logo }) {
    const { app, viewer } = ctx
    const isPlatform = viewer.role === 'superAdmin'
    const read = logo ? await readLogo(logo) : removeLogo === 'true' ? null : undefined
    await withFiles(app, (tx) =>
      saveBrand(tx, ctx, {
        userId: isPlatform ? null : viewer.userId,
        company,
        domain: isPlatform ? domain : (domain ?? null),
        logo: read,
        primaryColour,
      }),
    )
    return { message: messages.success }
  },

  async domains({ app }, _input, query) {
    return store.domains(app.db, query)
  },

  async confirmDomain(ctx, { domainId }) {
    await confirmDomain(ctx, domainId)
    return { message: messages.success }
  },

  async refuseDomain(ctx, input) {
    await refuseDomain(ctx, input)
    return { message: messages.success }
  },
}
