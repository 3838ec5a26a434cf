/** Internal names; the wire has ROLE_USER, ROLE_ADMIN, ROLE_SADMIN (specification 1 §1). */
export const roles = ['user', 'reseller', 'superAdmin'] as const
export type Role = (typeof roles)[number]

export const wireRole = { user: 'ROLE_USER', reseller: 'ROLE_ADMIN', superAdmin: 'ROLE_SADMIN' } as const
export const roleOfWire = {
  ROLE_USER: 'user',
  ROLE_ADMIN: 'reseller',
  ROLE_SADMIN: 'superAdmin',
} as const satisfies Record<string, Role>

/** Specification 1 §3: 0 Promotional, 1 Transactional. */
export const accountTypes = ['promotional', 'transactional'] as const
export type AccountType = (typeof accountTypes)[number]
