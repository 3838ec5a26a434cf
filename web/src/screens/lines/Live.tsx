import { Status, type StatusKind } from '../../components/ui/Status.tsx'
import { NepalTime } from '../../components/ui/NepalTime.tsx'
import { useFormat } from '../../i18n/format.ts'
import { serverText, useTexts } from '../../i18n/language.ts'
import classes from './Lines.module.css'

/** '12 of 100', and the unreduced total. */
export function Used({ used, of, total }: { used: number | undefined; of: number; total?: number }) {
  const { live } = useTexts('lines')
  const format = useFormat()
  return (
    <div>
      <span data-numeric>
        {used === undefined ? format.count(of) : live.used(format.count(used), format.count(of))}
      </span>
      {total !== undefined && total !== of && <span className={classes.more}>{live.reduced(format.count(total))}</span>}
    </div>
  )
}

export function State({ light, text, more }: { light: StatusKind; text: string; more?: string | null | undefined }) {
  return (
    <div>
      <Status is={light}>{text}</Status>
      {more && <span className={classes.more}>{serverText(more)}</span>}
    </div>
  )
}

export function LastFailure({ failure }: { failure: { reason: string; at: string } | null | undefined }) {
  const { live } = useTexts('lines')
  if (!failure) return <span className={classes.dim}>{live.none}</span>
  return (
    <div>
      {serverText(failure.reason)}
      <span className={classes.more}>
        <NepalTime wire={failure.at} relative />
      </span>
    </div>
  )
}
