import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/spotlight/styles.css'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../api/session.ts'
import { Icon } from '../components/ui/Icon.tsx'
import { useTexts } from '../i18n/language.ts'
import { menuOf } from '../menu.ts'

const [store, spotlight] = createSpotlight()

/** Every screen of the role, found by a few letters. */
export default function GoTo() {
  const { menu, shell } = useTexts('common')
  const { role } = useSession()
  const navigate = useNavigate()
  useEffect(() => spotlight.toggle(), [])
  const actions = menuOf(role).map(({ line, label }) => ({
    id: line.path,
    label: menu[label],
    leftSection: <Icon name={line.icon} />,
    onClick: () => void navigate(line.path),
  }))
  return (
    <Spotlight
      store={store}
      actions={actions}
      shortcut={null}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      nothingFound={shell.nothingToGoTo}
      searchProps={{ placeholder: shell.goTo, 'aria-label': shell.goTo }}
    />
  )
}
