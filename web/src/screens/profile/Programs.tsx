import { Hooks } from './hooks/Hooks.tsx'
import { Keys } from './keys/Keys.tsx'

/** What programs of the account may do, and where they are told. */
export default function Programs() {
  return (
    <>
      <Keys />
      <Hooks />
    </>
  )
}
