/** By a file's role in the flow. */
export const promptFiles = {
  welcome: 'Welcome file',
  menu: 'Menu file',
  noInput: 'No-input file',
  wrongInput: 'Wrong-input file',
  thanks: 'Thanks file',
  menu1: 'Menu file 1',
  menu2: 'Menu file 2',
  menu3: 'Menu file 3',
  menu4: 'Menu file 4',
  menu5: 'Menu file 5',
  optin1: 'Opt-in file 1',
  optin2: 'Opt-in file 2',
  optout1: 'Opt-out file 1',
  optout2: 'Opt-out file 2',
  action1: 'Action file 1',
  action2: 'Action file 2',
}

export const spokenLanguages = { ne: 'Nepali', en: 'English' }
export const spokenCalendars = { ad: 'AD', bs: 'Bikram Sambat' }
