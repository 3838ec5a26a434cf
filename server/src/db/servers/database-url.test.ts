import { expect, test } from 'vitest'
import { serversOf } from './database-url.ts'

test.each([
  { why: 'one server', url: 'postgres://a:b@one/ghanti', servers: ['one:5432'], first: 'postgres://a:b@one/ghanti' },
  {
    why: 'several, each with its port',
    url: 'postgresql://a:b@one:6000,two,[::1]:7000/ghanti?sslmode=require',
    servers: ['one:6000', 'two:5432', '::1:7000'],
    first: 'postgresql://a:b@one:6000/ghanti?sslmode=require',
  },
  {
    why: 'a password with an @',
    url: 'postgres://a:b@c@one,two/d',
    servers: ['one:5432', 'two:5432'],
    first: 'postgres://a:b@c@one/d',
  },
  {
    why: 'neither login nor database',
    url: 'postgres://one,two',
    servers: ['one:5432', 'two:5432'],
    first: 'postgres://one',
  },
  {
    why: 'a socket’s folder',
    url: 'postgres:///ghanti?host=/run',
    servers: ['localhost:5432'],
    first: 'postgres:///ghanti?host=/run',
  },
])('$why', ({ url, servers, first }) => {
  const found = serversOf(url)
  expect(found?.servers.map(({ host, port }) => `${host}:${port}`)).toEqual(servers)
  expect(found?.url).toBe(first)
})

test.each([
  'mysql://one/d',
  'postgres://one:0/d',
  'postgres://one:99999,two/d',
  'postgres://one:x,two/d',
  'postgres://on e,two/d',
])('%s is refused', (url) => expect(serversOf(url)).toBe(null))
