import { promptStatusCode, promptStatusLabel, type PromptRow, type PromptStatus } from '@ghanti/contract/prompts.ts'
import { accountTypes } from '@ghanti/contract/roles.ts'
import { nepalTimeOf } from '@ghanti/contract/time.ts'
import type { FieldError } from '../../errors.ts'
import type { Prompt } from './store.ts'

export const promptStatuses = ['pending', 'approved', 'rejected'] as const satisfies readonly PromptStatus[]

export function rowOf(prompt: Prompt): PromptRow {
  return {
    promptId: prompt.id,
    fileName: fileNameOf(prompt.name),
    userId: prompt.owner_id,
    promptCategory: prompt.category,
    promptStatus: promptStatusCode[prompt.status],
    accountType: accountTypes.indexOf(prompt.account_type),
    username: prompt.username,
    durationMs: prompt.duration_ms,
    uploadedAt: nepalTimeOf(prompt.created_at),
    rejectReason: prompt.reject_reason,
  }
}

export function fileNameOf(name: string): string {
  return `${name}.wav`
}

export type WantedPrompt = { field: string; promptId: number }
type OwnPrompt = { id: number; name: string; status: PromptStatus }

/** Why a campaign may not use them, by field. Somebody else's prompt is reported as missing. */
export function unusable(wanted: readonly WantedPrompt[], own: ReadonlyMap<number, OwnPrompt>): FieldError[] {
  return wanted.flatMap(({ field, promptId }): FieldError[] => {
    const prompt = own.get(promptId)
    if (!prompt) return [{ field, code: 'not_found', text: 'is not one of your voice files' }]
    if (prompt.status === 'approved') return []
    const label = promptStatusLabel[prompt.status]
    return [
      {
        field,
        code: 'not_approved',
        text: `'${fileNameOf(prompt.name)}' is ${label}, only approved files can be used`,
      },
    ]
  })
}
