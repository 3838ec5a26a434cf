import { useEffect, useMemo } from 'react'
import { Logo } from '../../components/ui/icons/Logo.tsx'
import { useFormat } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { brandShades, contrastWithWhite } from '../../theme-colours.ts'
import { colourOf } from './brand-form.ts'
import classes from './Branding.module.css'

type BrandPreviewProps = { company: string; primaryColour: string; picked: File | null; logoUrl: string | null }

export function BrandPreview({ company, primaryColour, picked, logoUrl }: BrandPreviewProps) {
  const { preview } = useTexts('branding')
  const format = useFormat()
  const colour = colourOf(primaryColour)
  const shades = brandShades(colour)
  const own = useObjectUrl(picked)
  const shown = own ?? logoUrl
  const contrast = colour === null ? null : contrastWithWhite(colour)
  return (
    <section className={classes.preview} aria-labelledby="brand-preview">
      <h2 id="brand-preview">{preview.title}</h2>
      {(['light', 'dark'] as const).map((scheme) => (
        <div key={scheme} className={classes.sample} data-scheme={scheme} role="img" aria-label={preview[scheme]}>
          <div className={classes.brand}>
            <span style={{ color: shades[scheme === 'light' ? 6 : 3] }}>
              {shown ? <img src={shown} alt="" /> : <Logo size={28} />}
            </span>
            <span>{company}</span>
          </div>
          <div className={classes.button} style={{ background: shades[scheme === 'light' ? 6 : 7] }}>
            {preview.login}
          </div>
        </div>
      ))}
      {contrast !== null && (
        <p role="status">
          {(contrast >= 4.5 ? preview.readable : preview.darkened)(format.digits(contrast.toFixed(1)))}
        </p>
      )}
    </section>
  )
}

function useObjectUrl(file: File | null): string | null {
  const url = useMemo(() => (file ? URL.createObjectURL(file) : null), [file])
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url])
  return url
}
