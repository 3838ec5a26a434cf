/**
 * The styles of every Mantine component in use, one line each (14 kB instead of 40 for all). A missing line causes no error, so look at the
 * screen. Components of lazy parts (dialogs, menus, dates, spotlight) import their styles themselves.
 */
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/global.css'
import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import '@mantine/core/styles/ActionIcon.css'
import '@mantine/core/styles/CloseButton.css'
import '@mantine/core/styles/Input.css'
import '@mantine/core/styles/PasswordInput.css'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Loader.css'
