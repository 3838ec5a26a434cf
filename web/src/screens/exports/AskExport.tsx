import { exportFormats, exportRoutes, type ExportFormat } from '@ghanti/contract/exports.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { call, type SentOf } from '../../api/client.ts'
import { refresh } from '../../api/query.ts'
import layout from '../../components/form/Form.module.css'
import { Segments } from '../../components/form/Segments.tsx'
import { Failed } from '../../components/ui/failures/Failed.tsx'
import { useTexts } from '../../i18n/language.ts'

export type Wanted = { what: string } & Pick<SentOf<typeof exportRoutes.ask>, 'kind' | 'filter'>
type AskExportProps = { wanted: Wanted; close: () => void; go: (path: string) => void }

/** Asks for the format, then says where the file will be. */
export default function AskExport({ wanted: { what, ...wanted }, close, go }: AskExportProps) {
  const { ask: t, formats, fields } = useTexts('exports')
  const { dialog } = useTexts('common')
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [state, setState] = useState<'open' | 'busy' | 'asked'>('open')
  const [failure, setFailure] = useState<unknown>(null)
  const submit = async () => {
    setState('busy')
    setFailure(null)
    try {
      await call(exportRoutes.ask, { ...wanted, format })
      setState('asked')
      void refresh(exportRoutes.list)
    } catch (error) {
      setFailure(error)
      setState('open')
    }
  }
  const open = () => {
    close()
    go('/my-exports')
  }
  return (
    <div className={layout.form}>
      <p role="status">{state === 'asked' ? t.asked : what}</p>
      {state !== 'asked' && (
        <Segments
          label={t.format}
          value={format}
          onChange={setFormat}
          data={exportFormats.map((value) => ({ value, label: formats[value] }))}
        />
      )}
      {failure !== null && <Failed error={failure} labels={fields} />}
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {state === 'asked' ? dialog.close : t.cancel}
        </Button>
        {state === 'asked' ? (
          <Button onClick={open}>{t.open}</Button>
        ) : (
          <Button onClick={() => void submit()} loading={state === 'busy'}>
            {t.submit}
          </Button>
        )}
      </div>
    </div>
  )
}
