import { dispositionLabelNe } from '@ghanti/contract/nepali/campaign-status.ts'
import type * as english from '../en/call-words.ts'

export const dispositionNames: typeof english.dispositionNames = dispositionLabelNe

export const keysOfMenu: typeof english.keysOfMenu = (menu, keys) => `मेनु ${menu}: ${keys}`
