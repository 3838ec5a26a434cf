import { IconSnowflake } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './FrozenBar.module.css'

/** Over everything of a frozen account, for the accounts above it. */
export default function FrozenBar({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div role="status" className={classes.bar}>
      <IconSnowflake size={22} stroke={1.7} aria-hidden />
      <p className={classes.said}>
        <strong>{title}</strong>
        <span>{text}</span>
      </p>
      {children}
    </div>
  )
}
