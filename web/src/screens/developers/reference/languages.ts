import type { Examples } from '@ghanti/contract/examples/example.ts'
import { curl } from '@ghanti/contract/examples/curl.ts'
import { php } from '@ghanti/contract/examples/php.ts'
import { python } from '@ghanti/contract/examples/python.ts'
import { typescript } from '@ghanti/contract/examples/typescript.ts'
import { useState } from 'react'

export const codeLanguages = { curl: 'curl', typescript: 'TypeScript', php: 'PHP', python: 'Python' } as const
type CodeLanguage = keyof typeof codeLanguages
export const languageNames = Object.keys(codeLanguages) as CodeLanguage[]

export const examplesIn: Record<CodeLanguage, Examples> = { curl, typescript, php, python }

const storageKey = 'ghanti-code'

function kept(): CodeLanguage {
  try {
    return languageNames.find((name) => name === localStorage.getItem(storageKey)) ?? 'curl'
  } catch {
    return 'curl' // storage may be forbidden
  }
}

/** In which language the reader wants examples; stays in this browser. */
export function useCodeLanguage(): [CodeLanguage, (language: CodeLanguage) => void] {
  const [language, setLanguage] = useState(kept)
  const choose = (chosen: CodeLanguage) => {
    setLanguage(chosen)
    try {
      localStorage.setItem(storageKey, chosen)
    } catch {
      // as above
    }
  }
  return [language, choose]
}
