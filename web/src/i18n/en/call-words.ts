/** Words about calls for several screens. */
import { dispositionLabel } from '@ghanti/contract/disposition-label.ts'

export const dispositionNames = dispositionLabel

/** For one of several menus. */
export const keysOfMenu = (menu: string, keys: string) => `Menu ${menu}: ${keys}`
