import { dispositionLabel } from '@ghanti/contract/disposition-label.ts'

export const dispositionNames = dispositionLabel

export const keysOfMenu = (menu: string, keys: string) => `Menu ${menu}: ${keys}`
