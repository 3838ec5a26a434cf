export const texts = {
  title: 'Login',
  username: 'Username',
  password: 'Password',
  submit: 'Login',
  ended: 'You were signed out. Please log in again.',
  tryAgainIn: (time: string) => `Too many attempts. Try again in ${time}.`,
  seconds: (count: string) => `${count} s`,
  minutes: (count: string) => `${count} min`,
  showPassword: 'Show or hide the password',
  demo: {
    title: 'Demo accounts: choose one to fill in',
    password: (password: string) => `The password of each: ${password}`,
  },
}
