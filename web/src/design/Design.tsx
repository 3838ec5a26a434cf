import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { LanguageSwitch } from '../shell/LanguageSwitch.tsx'
import { SchemeSwitch } from '../shell/SchemeSwitch.tsx'
import classes from './Design.module.css'
import { Fields } from './Fields.tsx'
import { Signs } from './Signs.tsx'
import { Tables } from './Tables.tsx'
import { Voices } from './Voices.tsx'

/** Every shared component in every state. In the development build alone: its own words are for developers, in English. */
export default function Design() {
  return <RouterProvider router={router} />
}

const router = createMemoryRouter([{ path: '*', element: <DesignPage /> }])

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
      <Tables />
      <Voices />
    </div>
  )
}
