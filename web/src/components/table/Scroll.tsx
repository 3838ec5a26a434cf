import { useEffect, useRef, type ComponentProps } from 'react'

/** Holds what may be wider than its place. Only while it is, the keyboard reaches it, to scroll by the arrow keys. */
export function Scroll(props: ComponentProps<'div'>) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0
      else element.removeAttribute('tabindex')
    })
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return <div ref={box} {...props} />
}
