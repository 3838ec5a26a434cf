import type { NoticeRow } from '@ghanti/contract/notices.ts'
import { matchPath } from 'react-router'
import { expect, test } from 'vitest'
import { screens } from '../../paths.ts'
import { placeOf } from './places.ts'

test.each(Object.entries(placeOf))('a notice of the kind %s leads to a page that exists', (_kind, place) => {
  const row = { subjectId: 7, about: 'Ram & sons' } as NoticeRow
  const [pathname = ''] = place(row).split('?')
  expect(screens.filter(({ path }) => matchPath(path, pathname))).not.toEqual([])
})
