import { templateIcons } from './table.ts'

export default function TemplateIcon({ id, size = 18 }: { id: number; size?: number }) {
  const Chosen = templateIcons[id]
  return Chosen ? <Chosen size={size} stroke={1.6} aria-hidden /> : null
}
