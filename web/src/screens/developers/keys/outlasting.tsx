import { Button } from '@mantine/core'
import { basePath } from '../../../api/base.ts'
import layout from '../../../components/form/Form.module.css'
import { showDialog } from '../../../components/ui/dialogs/dialogs.ts'
import { useFormat } from '../../../i18n/format.ts'
import { keyTexts, useKeyTexts } from './texts.ts'

/** After a new password, which ends no keys: whoever set it out of fear sees them. */
export function showOutlasting(keys: number): void {
  showDialog({
    title: keyTexts().outlasting.title,
    size: 'md',
    render: (close) => <Outlasting keys={keys} close={close} />,
  })
}

function Outlasting({ keys, close }: { keys: number; close: () => void }) {
  const { outlasting: t } = useKeyTexts()
  const format = useFormat()
  return (
    <div className={layout.form}>
      <p>{t.text(keys, format.count(keys))}</p>
      <div className={layout.buttons}>
        <Button variant="default" onClick={close}>
          {t.close}
        </Button>
        <Button component="a" href={`${basePath}/developers`} onClick={close}>
          {t.look}
        </Button>
      </div>
    </div>
  )
}
