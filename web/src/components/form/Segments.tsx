import { useId } from 'react'
import classes from './Segments.module.css'

type SegmentsProps<Value extends string> = {
  label: string
  /** Above the options. Otherwise only for those who do not see them. */
  isLabelShown?: boolean
  value: Value
  onChange: (value: Value) => void
  data: readonly { value: Value; label: string }[]
  disabled?: boolean
  className?: string | undefined
}

/** A few options, all visible: radio buttons in a row, so that arrow keys change the choice. */
export function Segments<Value extends string>({
  label,
  isLabelShown = false,
  value,
  onChange,
  data,
  disabled = false,
  className = '',
}: SegmentsProps<Value>) {
  const name = useId()
  const options = (
    <div role="radiogroup" aria-label={label} className={`${classes.segments} ${className}`}>
      {data.map((one) => (
        <label key={one.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            checked={one.value === value}
            disabled={disabled}
            onChange={() => onChange(one.value)}
          />
          {one.label}
        </label>
      ))}
    </div>
  )
  if (!isLabelShown) return options
  return (
    <div>
      <div className={classes.label} aria-hidden>
        {label}
      </div>
      {options}
    </div>
  )
}
