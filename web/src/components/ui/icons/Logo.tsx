/** The bell (घण्टी), in the colour of the text. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d="M12 2.8v1.9M5.2 17.3c1.8-1.7 2.3-3.6 2.3-6.4a4.5 4.5 0 0 1 9 0c0 2.8.5 4.7 2.3 6.4z" />
      <path d="M10.3 20.2a1.9 1.9 0 0 0 3.4 0M3.4 7.6a9 9 0 0 1 2.2-3.7M20.6 7.6a9 9 0 0 0-2.2-3.7" />
    </svg>
  )
}
