import { callReportRoutes, type CallRow } from '@ghanti/contract/call-report.ts'
import { recordingRoutes } from '@ghanti/contract/recordings.ts'
import { IconDownload, IconTrash, IconVolume } from '@tabler/icons-react'
import { call, fileAddress } from '../../api/client.ts'
import { saveSound } from '../../api/download.ts'
import { refresh } from '../../api/query.ts'
import type { MenuAction } from '../../components/table/RowMenu.tsx'
import { confirm, showFailure } from '../../components/ui/dialogs/dialogs.ts'
import { listenTo } from '../../components/ui/sound/Player.tsx'
import { serverText } from '../../i18n/language.ts'
import type { CallContext } from './columns.tsx'

/** Listen, download and delete; each says why when there is no recording. */
export function recordingActions(row: CallRow, { t, format, role }: CallContext): MenuAction[] {
  const { uuID, status, recordingReason } = row
  const why = status === 'Fail' ? t.notAnswered : t.nothingToHear(serverText(recordingReason ?? ''))
  const disabledReason = uuID === null ? why : undefined
  const src = fileAddress(recordingRoutes.listen, { recording: `${uuID}.wav` })
  const question = t.recording.question(format.phone(row.customerNo), format.moment(row.startTime))
  return [
    { label: t.listen, icon: IconVolume, disabledReason, onClick: () => listenTo(t.listenTitle, src, '') },
    {
      label: t.recording.download,
      icon: IconDownload,
      disabledReason,
      onClick: () =>
        void saveSound(src, '').catch((error: unknown) => showFailure(error, { recording: t.recording.label })),
    },
    {
      label: t.recording.delete,
      icon: IconTrash,
      danger: true,
      disabledReason: role === 'reseller' ? t.recording.ownerAlone : disabledReason,
      onClick: () =>
        confirm({
          title: '',
          verb: t.recording.delete,
          question,
          failure: t.recording.deleteFailed,
          labels: {},
          danger: true,
          onYes: () =>
            call(recordingRoutes.delete, { uuID: uuID ?? '' }).finally(() =>
              refresh(callReportRoutes.list, callReportRoutes.ofCampaign),
            ),
        }),
    },
  ]
}
