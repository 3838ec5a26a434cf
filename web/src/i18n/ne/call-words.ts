import type * as english from '../en/call-words.ts'

export const dispositionNames: typeof english.dispositionNames = {
  ANSWER: 'उठाइयो',
  'NO ANSWER': 'उठाइएन',
  BUSY: 'व्यस्त',
  CONGESTION: 'लाइन जाम',
  FAILED: 'असफल',
  CANCEL: 'रद्द',
  INVALID: 'अमान्य नम्बर',
  REJECTED: 'अस्वीकृत',
  LOST: 'थाहा नभएको',
}

export const keysOfMenu: typeof english.keysOfMenu = (menu, keys) => `मेनु ${menu}: ${keys}`
