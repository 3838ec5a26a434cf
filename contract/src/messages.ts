/** The exact texts of the specifications' catalogues (specification 1 §5, §8; specification 2 §5, §8; docs/api.md#statuses-and-messages). */
export const messages = {
  success: 'Success',
  badInput: 'Parameters Incorrect',
  requestFailed: 'Request Failed!! Please try again',
  badCredentials: 'Bad credentials',
  tokenNotValid: 'Token Not Valid.',
  tokenExpired: 'Token Expired',
  accountExpired: 'Account Expired',
  notAllowed: 'Not allowed',
  noData: 'No data found',
  channelLimit: 'Channel Limit Exceeded',
  wrongLogin: 'Wrong username or password.',
  loginRequired: 'Please enter username & password.',
  usernameRequired: 'Please enter Username',
  passwordRequired: 'Please enter Password',
  confirmRequired: 'Please enter Confirm Password',
  passwordsDiffer: "Password & Confim Password don't match",
  wrongUsername: 'Wrong username',
  somethingWrong: 'Something went wrong',
  linkSent: 'Link sent to registered mail',
  mailVerified: 'The address is confirmed',
  passwordReset: 'Password Reset Successfully',
  passwordResetFailed: 'Password Reset Failed',
  agentRowMissing: 'Please add Agent Row',
  agentRowHalf: 'Please add Agent and DTMF Row',
  agentAndDtmf: 'Please select Agent and DTMF',
  stopFailed: 'Error in Stopping, please try again',
  pauseFailed: 'Error in Pause, please try again',
  resumeFailed: 'Error in Resume, please try again',
  retryFailed: 'Error in Retry, please try again',
  promptDeleteFailed: 'Error in Deleting File, please try again',
  approvalFailed: 'Approval Failed',
  rejectFailed: 'Rejecting Failed',
  blacklistDeleteFailed: 'Error in Deleting Blacklist Number, please try again',
  dialerDeleteFailed: 'Error in Deleting Dialer, please try again',
  trunkDeleteFailed: 'Error in Deleting Trunk, please try again',
  trunkUpdateFailed: 'Error in Updating Trunk',
  planDeleteFailed: 'Error in Deleting Plan, please try again',
  rechargeAmount: 'Recharge Amount cannot be less than or equal to 0',
  rechargeFailed: 'Recharge Failed.',
  noPlanFound: 'No Plan found',
  noPulseFound: 'No Pulse found',
  cliMissing: 'Please select CLI',
  cliRowMissing: 'Please add CLI Row',
  cliDeleteFailed: 'Error in Deleting CLI, please try again',
  cliRemoveFailed: 'Error in Removing CLI, please try again',
  noDialerFound: 'No Dialer found',
  noIdFound: 'No ID found',
  noFiles: 'No Files',
  passwordShort: 'Password cannot be less than 8 characters',
  passwordUnreadable: 'Passwords are stored so that nobody can read them. Reset it instead.',
  expiryRequired: 'Please Select Expiry Date',
  userCreated: 'User Created Successfully',
  userUpdateFailed: 'User Updation Failed',
  resetPasswordFailed: 'Reset Password Failed',
  userDeleteFailed: 'Error in Deleting User, please try again',
  reportBeingMade: 'Report is being made',
} as const

/** '21.3 MB is too large, please pick a smaller file'. Rounded up, so that the figure is above a limit in whole MB. */
export function tooLarge(bytes: number): string {
  return `${(Math.ceil((bytes / 1024 / 1024) * 10) / 10).toFixed(1)} MB is too large, please pick a smaller file`
}

/** `type` as declared, else as detected. */
export function notSupported(type: string): string {
  return `${type} is not a supported format`
}

export function dtmfTaken(dtmf: string): string {
  return `${dtmf} DTMF is already selected`
}

export function cliTaken(cli: string): string {
  return `${cli} is already selected`
}
