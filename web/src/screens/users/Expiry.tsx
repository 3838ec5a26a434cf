import { instantOfNepalTime } from '@ghanti/contract/time.ts'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { useTexts } from '../../i18n/language.ts'
import classes from './Users.module.css'

export function Expiry({ wire }: { wire: string | null }) {
  const t = useTexts('users')
  if (wire === null) return <span className={classes.dim}>{t.never}</span>
  return (
    <>
      <span data-numeric>
        <NepalTime wire={wire} day />
      </span>
      {isOver(wire) && <span className={`${classes.mark} ${classes.bad}`}>{t.expired}</span>}
    </>
  )
}

function isOver(wire: string): boolean {
  return (instantOfNepalTime(wire)?.getTime() ?? Infinity) <= Date.now()
}
