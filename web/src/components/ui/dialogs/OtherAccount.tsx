import { Button, Modal } from '@mantine/core'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import { closeNotice } from '../../../api/page-owner.ts'
import { queryClient } from '../../../api/query.ts'
import { sessionQuery } from '../../../api/session.ts'
import classes from './Dialog.module.css'
import { serverText, useTexts } from '../../../i18n/language.ts'

/** Above a form in a dialog, which stays as it is, and above toasts. */
const zIndex = 500

/** Another window has signed in as another account, so the server refuses what this page sends. */
export default function OtherAccount({ sentence }: { sentence: string }) {
  const { dialog, failure } = useTexts('common')
  const t = useTexts('otherAccount')
  const owner = queryClient.getQueryData(sessionQuery.queryKey)?.username ?? ''
  return (
    <Modal
      opened
      onClose={closeNotice}
      title={serverText(sentence)}
      centered
      lockScroll={false}
      size="md"
      radius="md"
      zIndex={zIndex}
      closeButtonProps={{ 'aria-label': dialog.close }}
      classNames={{ title: classes.title }}
      transitionProps={{ duration: 0 }}
    >
      <p className={classes.text}>{t.otherAccount(owner)}</p>
      <div className={classes.buttons}>
        <Button variant="default" onClick={closeNotice} data-autofocus>
          {dialog.close}
        </Button>
        <Button onClick={() => window.location.reload()}>{failure.reload}</Button>
      </div>
    </Modal>
  )
}
