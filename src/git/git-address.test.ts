import { expect, test } from 'vitest'
import { addressFault, asUrl, forGit, hideSecrets, holdsSecretUrl, isRemote, isSsh, localPath, printAddress } from './git-address.ts'

test.each([
  ['https://git.example.com/catalog.git', 'https://git.example.com/catalog.git'],
  ['https://ada@git.example.com/catalog.git', 'https://git.example.com/catalog.git'],
  ['https://ada:s3cret@git.example.com:8443/catalog.git', 'https://git.example.com:8443/catalog.git'],
  ['HTTPS://ada:s3cret@git.example.com/catalog', 'HTTPS://git.example.com/catalog'],
  ['https://ada:s3@cr/et@git.example.com/catalog', 'https://git.example.com/catalog'],
  ['https://ada:s3?cr#et@git.example.com/catalog', 'https://git.example.com/catalog'],
  ['https://ada:s3cret', 'https://ada'],
  ['https://:s3cret@git.example.com/x', 'https://git.example.com/x'],
  ['https://git.example.com/catalog?private_token=s3cret', 'https://git.example.com/catalog'],
  ['https://git.example.com/catalog#s3cret', 'https://git.example.com/catalog'],
  ['https://git.example.com:8443/a@b', 'https://git.example.com:8443/a@b'],
  ['https://[::1]:8443/a', 'https://[::1]:8443/a'],
  ['ssh://git@git.example.com/a@b', 'ssh://git.example.com/a@b'],
  ['git@git.example.com:fleet/catalog.git', 'git.example.com:fleet/catalog.git'],
  ['ada:s3cret@git.example.com:catalog', 'git.example.com:catalog'],
  ['ada:s3/cret@git.example.com:catalog', 'git.example.com:catalog'],
  ['git.example.com:catalog', 'git.example.com:catalog'],
  ['https:/ada:s3cret@git.example.com/catalog', 'git.example.com/catalog'],
  ['//ada:s3cret@git.example.com/catalog', 'git.example.com/catalog'],
  ['ext::sh -c s3cret', 'ext::…'],
  ['../catalog@v1', '../catalog@v1'],
  ['file:///srv/a?b', 'file:///srv/a?b'],
])('%s is printed as %s', (address, expected) => {
  expect(printAddress(address)).toBe(expected)
})

test.each([
  'https://git.example.com/catalog.git',
  'HTTPS://git.example.com/catalog.git',
  'https://ada@dev.example.com/fleet/_git/catalog',
  'ssh://git@git.example.com:22/catalog',
  'git@git.example.com:fleet/catalog.git',
  'git://git.example.com/catalog',
  'file:///srv/git/catalog.git',
  '/srv/git/catalog.git',
  '../catalog@v1',
  'catalog',
])('%s may be read', (address) => {
  expect(addressFault(address)).toBeUndefined()
})

test.each([
  ['http://git.example.com/a', /^must be a path, HOST:PATH, or a URL of https, ssh, git or file, got 'http:\/\/git\.example\.com\/a'$/],
  ['ext::sh -c touch% /tmp/x', /^must be a path, .* got 'ext::…'$/],
  ['fd::17', /^must be a path/],
  ['EXT::sh', /^must be a path/],
  ['ftp://git.example.com/a', /^must be a path/],
  ['--upload-pack=touch /tmp/x', /^must not begin with '-'/],
  ['ssh://-oProxyCommand=touch/x', /^must not begin with '-'/],
  ['-oProxyCommand=touch:x', /^must not begin with '-'/],
  ['git@-oProxyCommand=touch:x', /^must not begin with '-'/],
  ['https://git.example.com/a\nb', /without control characters/],
  ['a\0b', /without control characters/],
  ['https://ada:s3cret@git.example.com/a', /^must not hold a password, token or query, .* got 'https:\/\/git\.example\.com\/a'$/],
  ['Https://ada:s3cret@git.example.com/a', /^must not hold a password/],
  ['ssh://ada:s3cret@git.example.com/a', /^must not hold a password/],
  ['ada:s3cret@git.example.com:a', /^must not hold a password/],
  ['https:/ada:s3cret@git.example.com/a', /^must not hold a password/],
  ['//ada:s3cret@git.example.com/a', /^must not hold a password/],
  [' https://ada:s3cret@git.example.com/a', /^must be .* without blanks at its ends$/],
  ['https://%67hp_s3cret@git.example.com/a', /^must not hold a password/],
  ['https://GHP_s3cret@git.example.com/a', /^must not hold a password/],
  ['https://ghp_s3cret@git.example.com/a', /^must not hold a password/],
  ['https://git.example.com/a?token=s3cret', /^must not hold a password/],
])('%s is refused, and nothing secret is repeated', (address, message) => {
  expect(addressFault(address)).toMatch(message)
  expect(addressFault(address)).not.toContain('s3cret')
})

test('what git says of an address has no secret of it in any form', () => {
  const address = 'https://ada:s3%40cret@git.example.com/a?key=t0ken'
  const words = `fatal: unable to access '${address}/': s3@cret, s3%40cret or key=t0ken; see HTTP://eve:pw@proxy.example.com/x?y`
  expect(hideSecrets(words, address)).toBe(
    "fatal: unable to access 'https://git.example.com/a/': …, … or …; see HTTP://proxy.example.com/x",
  )
})

test('a scheme is one in any case, and git gets it in small letters', () => {
  expect(['HTTPS://x/y', 'git@x:y', 'x:y', 'FILE:///x', './a:b', '/a:b', 'a'].map(isRemote)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ])
  expect(forGit('HTTPS://Git.example.com/A')).toBe('https://Git.example.com/A')
  expect([localPath('FILE:///srv/a%20b'), localPath('file:///a%zz'), localPath('../a%20b')]).toEqual(['/srv/a b', '/a%zz', '../a%20b'])
})

test.each([
  ['git@github.com:org/ber.git', 'ssh://git@github.com/org/ber.git'],
  ['git@host.example:/srv/ber.git', 'ssh://git@host.example/srv/ber.git'],
  ['HTTPS://git.example.com/ber.git', 'https://git.example.com/ber.git'],
  ['ssh://git@github.com/org/ber.git', 'ssh://git@github.com/org/ber.git'],
  ['../ber', '../ber'],
])('an address as URL: %s', (address, url) => {
  expect(asUrl(address)).toBe(url)
})

test('a long word is searched for URLs once, and a URL behind the word is found', () => {
  const word = 'a'.repeat(1_000_000)
  expect(hideSecrets(`${word} https://bob:secret@git.example.com/x`)).toBe(`${word} https://git.example.com/x`)
})

test.each([
  ['no URL', 'repo: ada:s3cret', false],
  ['a URL without a user', 'see https://git.example.com/a', false],
  ['a user alone', 'repo: https://ada@git.example.com/a', false],
  ['a password', 'repo: https://ada:s3cret@git.example.com/a', true],
  ['a password in quotes', "repo: 'HTTPS://ada:s3cret@git.example.com/a'", true],
  ['a token as the user', 'repo: https://ghp_s3cret@git.example.com/a', true],
  ['a password in the second URL', 'https://git.example.com/a or https://ada:s3cret@git.example.com/b', true],
  ['a token in the last of three', 'https://x/a https://ada@x/b https://glpat-s3cret@x/c', true],
  ['a password in the first of two', 'https://ada:s3cret@git.example.com/b https://git.example.com/a', true],
])('a line with %s', (_what, line, holds) => {
  expect(holdsSecretUrl(line)).toBe(holds)
})

test.each([
  ['ssh://git@git.example.com/a', true],
  ['SSH://git.example.com/a', true],
  ['git@git.example.com:a', true],
  ['git.example.com:a', true],
  ['https://git.example.com/a', false],
  ['git://git.example.com/a', false],
  ['file:///srv/a', false],
  ['../ssh:a', false],
  ['/srv/a', false],
])('%s is reached by SSH: %s', (address, expected) => {
  expect(isSsh(address)).toBe(expected)
})
