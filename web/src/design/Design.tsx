import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import Toasts from '../components/ui/toasts/Toasts.tsx'
import { LanguageSwitch } from '../shell/LanguageSwitch.tsx'
import { SchemeSwitch } from '../shell/SchemeSwitch.tsx'
import classes from './Design.module.css'
import { Days } from './Days.tsx'
import { Fields } from './Fields.tsx'
import { designAddress, Lists } from './Lists.tsx'
import { Messages } from './Messages.tsx'
import { Pages } from './Pages.tsx'
import { Signs } from './Signs.tsx'
import { Tables } from './Tables.tsx'
import { Voices } from './Voices.tsx'

/** Every shared component in every state. Only in the development build, so its own texts are English. */
export default function Design() {
  return (
    <>
      <RouterProvider router={router} />
      <Toasts />
    </>
  )
}

const router = createMemoryRouter([{ path: '*', element: <DesignPage /> }], { initialEntries: [designAddress] })

export function DesignPage() {
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <h1>Design</h1>
        <LanguageSwitch />
        <SchemeSwitch />
      </header>
      <Signs />
      <Fields />
      <Days />
      <Lists />
      <Tables />
      <Messages />
      <Pages />
      <Voices />
    </div>
  )
}
