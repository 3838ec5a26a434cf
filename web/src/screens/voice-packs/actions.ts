import { voiceRoutes, type VoicePackDetail, type VoicePackRow, type VoicePackWord } from '@ghanti/contract/voices.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { IconPlayerPlay } from '@tabler/icons-react'
import { call, fileAddress } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm } from '../../components/ui/dialogs/dialogs.ts'
import { listenTo } from '../../components/ui/sound/Player.tsx'
import type { TextsOf } from '../../i18n/areas.ts'
import type { Format } from '../../i18n/format.ts'

type Texts = TextsOf<'voicePacks'>

/** After a refusal too, because the shown state is outdated. The detail's query key starts with the path of the list's single pack. */
export const readAgain = () => refresh(voiceRoutes.list, voiceRoutes.detail)

export const recordingTypes = '.wav,.zip,audio/wav,audio/x-wav,application/zip'

export function deletePack(row: VoicePackRow, role: Role, t: Texts, whenDone?: () => void): MenuAction {
  return {
    label: t.actions.delete,
    danger: true,
    disabledReason: row.isOwn || role === 'superAdmin' ? undefined : t.notYours,
    onClick: () =>
      confirm({
        title: row.name,
        verb: t.actions.delete,
        question: t.questions.delete,
        failure: t.failures.delete,
        labels: t.fields,
        danger: true,
        onYes: async () => {
          await call(voiceRoutes.delete, { packId: row.packId })
          whenDone?.()
          await readAgain()
        },
      }),
  }
}

export function decide(pack: VoicePackDetail, decision: 'approve' | 'reject', t: Texts, format: Format): void {
  const count = format.count(pack.pendingWords)
  const about = { packId: pack.packId, change: pack.change }
  confirm({
    title: pack.name,
    verb: t.actions[decision],
    question: t.questions[decision](count),
    failure: t.failures[decision],
    labels: t.fields,
    ...(decision === 'reject' ? { danger: true, reason: { required: false } } : {}),
    onYes: (reason) =>
      (decision === 'approve'
        ? call(voiceRoutes.approve, about)
        : call(voiceRoutes.reject, { ...about, reason })
      ).finally(readAgain),
  })
}

export function wordActions(pack: VoicePackDetail, word: VoicePackWord, t: Texts, upload: () => void): MenuAction[] {
  const { packId } = pack
  const { key, durationMs, pendingMs } = word
  const play = (which: 'approved' | 'pending') => () =>
    listenTo(word.word, fileAddress(voiceRoutes.listen, { packId, key, which }))
  const isThere = durationMs !== null || pendingMs !== null
  const notYours = pack.isOwn ? undefined : t.notYours
  return [
    {
      label: t.actions.listen,
      icon: IconPlayerPlay,
      disabledReason: isThere ? undefined : t.notThere,
      onClick: play(durationMs === null ? 'pending' : 'approved'),
    },
    ...(durationMs !== null && pendingMs !== null
      ? [{ label: t.actions.listenWaiting, onClick: play('pending') }]
      : []),
    { label: isThere ? t.actions.replace : t.actions.upload, disabledReason: notYours, onClick: upload },
    {
      label: t.actions.delete,
      danger: true,
      disabledReason: notYours ?? (isThere ? undefined : t.notThere),
      onClick: () =>
        confirm({
          title: word.word,
          verb: t.actions.delete,
          question: t.questions.deleteWord,
          failure: t.failures.deleteWord,
          labels: t.fields,
          danger: true,
          onYes: () => call(voiceRoutes.deleteWord, { packId, key }).finally(readAgain),
        }),
    },
  ]
}
