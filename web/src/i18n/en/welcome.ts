export const texts = {
  title: (username: string) => `${username} can sign in`,
  hint: 'Send this to its owner. The password is not shown again.',
  titleInvited: (emailid: string) => `The invitation goes to ${emailid}`,
  hintInvited:
    'Its link works for three days; after that, ‘Reset password?’ at the login mails another. Send this as well: the mail does not name the account.',
  text: 'Welcome text',
  copy: 'Copy welcome text',
  copied: 'Copied.',
  notCopied: 'The browser does not copy here: the text is selected, copy it with Ctrl+C.',
  close: 'Close',
  greeting: (name: string) => `Welcome, ${name}. Your account is ready.`,
  address: (address: string) => `Sign in at: ${address}`,
  username: (username: string) => `Username: ${username}`,
  password: (password: string) => `Password: ${password}`,
  invited: (emailid: string) => `Password: choose it with the link that was mailed to ${emailid}`,
  credits: (rupees: string) => `Credits: Rs ${rupees}`,
  cli: (cli: string) => `Caller ID: ${cli}`,
}
