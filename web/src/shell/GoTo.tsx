import { findLettersMin, findRoutes, type FoundCampaign } from '@ghanti/contract/find.ts'
import { ownValue } from '@ghanti/contract/own-values.ts'
import { nationalOf } from '@ghanti/contract/phone.ts'
import type { Role } from '@ghanti/contract/roles.ts'
import { Button } from '@mantine/core'
import {
  createSpotlight,
  Spotlight,
  useSpotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/Paper.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { jsonQuery } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import Empty from '../components/ui/Empty.tsx'
import { showFailure } from '../components/ui/dialogs/dialogs.ts'
import { failureTexts } from '../components/ui/failures/failure-texts.ts'
import { Icon } from '../components/ui/icons/Icon.tsx'
import { useAfterPaint } from '../components/table/rows/use-after-paint.ts'
import { showToastHistory } from '../components/ui/toasts/toast-history.tsx'
import { useFormat } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import { menuOf } from '../menu.ts'
import { screens } from '../paths.ts'
import classes from './GoTo.module.css'
import type { Recharged } from '../screens/credits/recharge.tsx'
import { screenIcons } from './screen-icons.ts'
import { showKeys } from './show-keys.tsx'
import { useRecent, type Place } from './recent.ts'

const [store, spotlight] = createSpotlight()

/** Finds screens and actions by a few letters, and campaigns, accounts and numbers on the server. `asked`: how often it was opened; `takeTyped`: what was typed before its field had the focus. */
export default function GoTo({ asked, takeTyped }: { asked: number; takeTyped: () => string }) {
  const { shell } = useTexts('common')
  const t = useTexts('goTo')
  const [query, setQuery] = useState('')
  const { groups: found, isAsking, failure } = useFound(query.trim())
  const { opened } = useSpotlight(store)
  const isPainted = useAfterPaint(opened)
  const groups = isPainted ? found : firstOf(found)
  const field = useRef<HTMLInputElement>(null)
  const enters = useRef(false)
  const clear = () => {
    setQuery('')
    field.current?.focus() // its button disappears
  }
  useEffect(() => {
    if (asked > 0) spotlight.toggle()
  }, [asked])
  useEffect(selectFirst, [groups])
  // Enter was pressed before there was a list.
  useEffect(() => {
    if (!enters.current || groups.length === 0 || query === '') return
    enters.current = false
    listed('[data-selected]')?.click()
  }, [groups, query])
  const takeEarly = () => {
    const typed = takeTyped()
    const text = typed.replaceAll('\n', '')
    if (text === '') return
    setQuery((before) => before + text)
    enters.current = typed.endsWith('\n')
  }
  return (
    <Spotlight
      lockScroll={false}
      store={store}
      query={query}
      onQueryChange={setQuery}
      actions={groups}
      // The results are filtered already.
      filter={(_, found) => found}
      shortcut={null}
      scrollable
      classNames={{ actionDescription: classes.description ?? '' }}
      maxHeight="min(420px, 60vh)"
      overlayProps={{ blur: 0, backgroundOpacity: 0.6 }}
      radius="md"
      nothingFound={failure ?? (isAsking ? t.asking : <NothingFound query={query.trim()} clear={clear} />)}
      searchProps={{
        ref: field,
        placeholder: shell.goTo,
        'aria-label': shell.goTo,
        maxLength: 100,
        onFocus: takeEarly,
      }}
    />
  )
}

/** How many entries fit without scrolling. The palette opens with these, and the rest follows. */
const firstMax = 12
function firstOf(groups: readonly SpotlightActionGroupData[]): SpotlightActionGroupData[] {
  let left = firstMax
  return groups.flatMap(({ group, actions }) => {
    const shown = actions.slice(0, left)
    left -= shown.length
    return shown.length > 0 ? [{ group, actions: shown }] : []
  })
}

function NothingFound({ query, clear }: { query: string; clear: () => void }) {
  const { table } = useTexts('common')
  return (
    <Empty drawing="search" text={table.nothingFound(query)}>
      <Button variant="default" size="xs" onClick={clear}>
        {table.clearSearch}
      </Button>
    </Empty>
  )
}

function listed(selector: string): HTMLElement | null {
  return document.getElementById(store.getState().listId)?.querySelector<HTMLElement>(selector) ?? null
}

/** Enter opens the first result, even if it comes from the server; a selected one stays selected. */
function selectFirst(): void {
  const first = listed('[data-action]')
  if (!first || listed('[data-selected]')) return
  first.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

type Found = { groups: SpotlightActionGroupData[]; isAsking: boolean; failure: string | null }

function useFound(query: string): Found {
  const t = useTexts('goTo')
  const navigate = useNavigate()
  const { recent, remember } = useRecent()
  const own = useOwnGroups()
  const server = useServerGroups(query)
  const action = ({ icon, ...place }: Entry): SpotlightActionData => ({
    id: place.path,
    label: place.label,
    ...(place.hint ? { description: place.hint } : {}),
    ...(icon ? { leftSection: icon } : {}),
    onClick: () => {
      if (place.run) return place.run()
      remember(place)
      void navigate(place.path)
    },
  })
  const matching = (entries: readonly Entry[]) =>
    entries.filter(({ label, hint = '' }) => matches(`${label} ${hint}`, query)).map(action)
  const sections: [string, SpotlightActionData[]][] = [
    [t.groups.recent, query === '' ? recent.map((place) => ({ ...action(place), id: `recent ${place.path}` })) : []],
    [t.groups.number, server.number.map(action)],
    [t.groups.screens, matching(own.screens)],
    [t.groups.actions, matching(own.actions)],
    // Last, because they arrive later and nothing may move under the pointer.
    [t.groups.campaigns, server.campaigns.map(action)],
    [t.groups.smsCampaigns, server.smsCampaigns.map(action)],
    [t.groups.users, [...server.users, ...server.recharges].map(action)],
    [t.groups.clis, server.clis.map(action)],
  ]
  return {
    groups: sections.filter(([, actions]) => actions.length > 0).map(([group, actions]) => ({ group, actions })),
    isAsking: server.isAsking,
    failure: server.failure,
  }
}

function matches(text: string, query: string): boolean {
  const searched = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

type Entry = Place & { icon?: React.ReactNode; run?: () => void }

const actionPaths: ReadonlySet<string> = new Set([
  '/add-voice-campaign',
  '/add-sms-campaign',
  '/add-voice-files',
  '/add-voice-blacklist',
  '/bulk-voice-blacklist',
  '/add-voice-plan',
  '/create-user',
  '/add-cli',
  '/allocate-cli',
  '/upload-cli',
  '/create-dialer',
  '/create-trunk',
  '/stop-dialling',
])

function useOwnGroups(): { screens: Entry[]; actions: Entry[] } {
  const { menu, shell } = useTexts('common')
  const t = useTexts('goTo')
  const { role } = useSession()
  const ofMenu = menuOf(role).map(({ line, label }) => ({
    path: line.path,
    label: menu[label],
    icon: <Icon name={ownValue(screenIcons, line.path) ?? 'dashboard'} />,
  }))
  const isAction = ({ path }: Entry) => actionPaths.has(path)
  const others = (['/create-dialer', '/create-trunk', '/upload-cli', '/notices', '/user-profile'] as const)
    .filter((path) => screens.some((line) => line.path === path && line.for[role] !== undefined))
    .map((path) => ({ path, label: path === '/notices' ? shell.notices : t.paths[path] }))
  return {
    screens: [...ofMenu, ...others].filter((entry) => !isAction(entry)),
    actions: [
      ...[...ofMenu, ...others].filter(isAction),
      { path: '?said', label: t.toasts.title, run: () => showToastHistory() },
      { path: '?keys', label: t.keys.title, hint: '?', run: () => showKeys() },
    ],
  }
}

async function recharge(child: Recharged, chosen: string): Promise<void> {
  const { showRecharge } = await import('../screens/credits/recharge.tsx')
  showRecharge(child, 'add', chosen)
}

function campaignEntry(screen: string, { campaignId, campaignName, username }: FoundCampaign, role: Role): Entry {
  const hint = role === 'user' ? `#${campaignId}` : `#${campaignId} · ${username}`
  return { path: `${screen}/${campaignId}`, label: campaignName, hint }
}

/** Results from the server, requested when typing pauses. A complete number leads to the blacklist check. */
function useServerGroups(query: string) {
  const t = useTexts('goTo')
  const format = useFormat()
  const { role } = useSession()
  const [settled] = useDebouncedValue(query, 200)
  const isWanted = settled.length >= findLettersMin || /^#?\d+$/.test(settled)
  const found = useQuery({
    ...jsonQuery(findRoutes.find, { search: settled }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  })
  const {
    campaigns = [],
    smsCampaigns = [],
    users = [],
    clis = [],
  } = isWanted && query !== '' ? (found.data ?? {}) : {}
  const digits = nationalOf(query.replace(/[\s-]/g, ''))
  const isNumber = /^(9\d{9}|0\d{8})$/.test(digits)
  const mobile = nationalOf(settled.replace(/[\s-]/g, ''))
  const called = useQuery({
    ...jsonQuery(findRoutes.number, { mobile }),
    enabled: isNumber && mobile === digits,
    staleTime: 60_000,
    retry: false,
  })
  const archived = called.data?.archivedTo ?? null
  return {
    isAsking: query !== settled || found.isFetching || called.isFetching,
    failure: found.error && isWanted ? failureTexts(found.error).message : null,
    campaigns: campaigns.map((found) => campaignEntry('/voice-campaign-summary', found, role)),
    smsCampaigns: smsCampaigns.map((found) => campaignEntry('/sms-campaign-report', found, role)),
    users: users.map(({ userId, username, name, company }): Entry => ({
      path: `/customers/${userId}`,
      label: username,
      hint: [name, company].filter(Boolean).join(' · '),
    })),
    clis: clis.map(({ cli }): Entry => ({ path: `/cli-list?search=${cli}`, label: format.phone(cli) })),
    // Accounts below others need a confirmation, which the list has.
    recharges: users
      .filter(({ isChild }) => isChild)
      .map(({ userId, username }): Entry => ({
        path: `?recharge=${userId}`,
        label: `${t.addRecharge}: ${username}`,
        run: () => void recharge({ userId, username }, t.addRecharge).catch(showFailure),
      })),
    number: isNumber
      ? [
          {
            path: `/report?search=${digits}`,
            label: t.callsTo(format.phone(digits)),
            ...(archived !== null && { hint: t.archived(format.day(archived)) }),
          },
          { path: `/voice-blacklist?number=${digits}`, label: t.isBlacklisted(format.phone(digits)) },
          ...(called.data?.campaigns ?? []).map(({ campaignId, campaignName, username, calls }): Entry => ({
            path: `/voice-campaign-summary/${campaignId}?search=${digits}`,
            label: t.called(campaignName, format.count(calls)),
            ...(role !== 'user' && { hint: username }),
          })),
        ]
      : [],
  }
}
