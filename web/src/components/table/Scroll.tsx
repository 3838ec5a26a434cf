import { useEffect, useRef, type ComponentProps } from 'react'

/** Scrolls what is too wide. Focusable only while it can scroll, so that arrow keys work. */
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
