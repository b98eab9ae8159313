import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../testdata/test-folder.ts'
import { fleetIdentity, fleetNames, nameByGit, remoteAddress } from './fleet-identity.ts'
import { runGit } from './run-git.ts'

function makeFolder(...folders: readonly string[]): string {
  const place = testFolder()
  for (const folder of folders) mkdirSync(join(place, folder), { recursive: true })
  return place
}

function makeRepository(remotes: Readonly<Record<string, string>>): string {
  const place = makeFolder('fleets/eu')
  runGit({ dir: place }, ['init', '--quiet'])
  for (const [name, address] of Object.entries(remotes)) runGit({ dir: place }, ['config', `remote.${name}.url`, address])
  return place
}

test.each([
  { address: 'https://git.example.com/team/fleet.git' },
  { address: 'https://anna:secret@GIT.example.com/team/fleet' },
  { address: 'ssh://git@git.example.com/team/fleet.git/' },
  { address: 'git@git.example.com:team/fleet.git' },
])('$address is one repository by every transport and user', ({ address }) => {
  const place = makeRepository({ origin: address, backup: 'https://backup.example.com/fleet.git' })
  expect(fleetIdentity(join(place, 'fleets/eu'), join(place, 'out'))).toBe('git.example.com/team/fleet//fleets/eu')
})

test('a fork, another folder of a repository and another port are other fleets', () => {
  const names = ['https://git.example.com/anna/fleet', 'https://git.example.com:8443/team/fleet', 'https://git.example.com/team/fleet'].map(
    (address) => fleetIdentity(join(makeRepository({ upstream: address }), 'fleets/eu'), '/out'),
  )
  const place = makeRepository({ origin: 'https://git.example.com/team/fleet' })
  expect(new Set([...names, fleetIdentity(join(place, 'fleets'), '/out')]).size).toBe(4)
})

test('without an address the first commit names the repository, also in a clone by path', () => {
  const place = makeRepository({})
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  runGit({ dir: place }, [...identity, 'commit', '--quiet', '--allow-empty', '--message', 'one'])
  const before = fleetIdentity(join(place, 'fleets/eu'), '/out')
  runGit({ dir: place }, [...identity, 'commit', '--quiet', '--allow-empty', '--message', 'two'])
  runGit({ dir: place }, ['config', 'remote.origin.url', '/srv/fleet.git'])
  expect(before).toMatch(/^commit:[0-9a-f]{12}\/\/fleets\/eu$/)
  expect(fleetIdentity(join(place, 'fleets/eu'), '/out')).toBe(before)
})

test('outside of git two folders of one name are two fleets, and one that moves with its packages is one', () => {
  const [place, moved] = [makeFolder('a/fleet', 'b/fleet'), makeFolder('a/fleet')]
  const [a, b] = [join(place, 'a/fleet'), join(place, 'b/fleet')].map((dir) => fleetIdentity(dir, join(place, 'out')))
  expect(a).toMatch(/^folder:fleet:[0-9a-f]{12}$/)
  expect(b).not.toBe(a)
  mkdirSync(join(place, 'out'))
  expect(fleetIdentity(join(place, 'a/fleet'), join(place, 'out'))).toBe(a)
  expect(fleetIdentity(join(moved, 'a/fleet'), join(moved, 'out'))).toBe(a)
})

test('a fleet keeps its packages through the first commit and the first remote; another folder and another repository do not', () => {
  const place = makeFolder('fleets/eu', 'fleets/us')
  const eu = () => fleetNames(join(place, 'fleets/eu'), join(place, 'out'))
  const names = [eu().name]
  runGit({ dir: place }, ['init', '--quiet'])
  names.push(eu().name)
  runGit({ dir: place }, ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '--message', 'one'])
  names.push(eu().name)
  runGit({ dir: place }, ['config', 'remote.origin.url', 'https://git.example.com/team/fleet.git'])
  expect(names).toEqual([names[0], names[0], expect.stringMatching(/^commit:/)])
  expect(eu().name).toBe('git.example.com/team/fleet//fleets/eu')
  expect(names.every(eu().hadName)).toBe(true)
  expect(names.some(fleetNames(join(place, 'fleets/us'), join(place, 'out')).hadName)).toBe(false)
  expect(names.some(fleetNames(join(place, 'fleets/eu'), join(place, 'fleets/out')).hadName)).toBe(true)
  expect(names.some(fleetNames(join(place, 'fleets/eu'), join(place, 'out'), 'stores').hadName)).toBe(false)
  runGit({ dir: place }, ['config', 'remote.origin.url', 'https://git.example.com/team/moved.git'])
  expect(eu().hadName('git.example.com/team/fleet//fleets/eu')).toBe(false)
})

test.each([
  { recorded: 'github.com/me/fleet', address: 'ssh://git@github.com:22/me/fleet.git' },
  { recorded: 'github.com:22/me/fleet', address: 'https://github.com/me/fleet' },
  { recorded: 'github.com/me/fleet', address: 'ssh://git@ssh.github.com:443/me/fleet.git' },
  { recorded: 'github.com/me/fleet', address: 'https://GitHub.com/Me/Fleet.git' },
  { recorded: 'dev.azure.com/org/project/_git/fleet', address: 'git@ssh.dev.azure.com:v3/org/project/fleet' },
  { recorded: 'git.example.com/team/fleet', address: 'ssh://git@git.example.com:22/team/fleet' },
])('$recorded is the repository of $address, wherever the packages are', ({ recorded, address }) => {
  const place = makeRepository({ origin: address })
  const { hadName, keepsName } = fleetNames(join(place, 'fleets/eu'), makeFolder())
  expect([hadName(`${recorded}//fleets/eu`), keepsName(`${recorded}//fleets/eu`)]).toEqual([true, true])
  expect(hadName(`${recorded}//fleets/us`)).toBe(false)
})

test.each([
  { recorded: 'git.example.com/team/Fleet', address: 'https://git.example.com/team/fleet' },
  { recorded: 'git.example.com:8443/team/fleet', address: 'https://git.example.com/team/fleet' },
  { recorded: 'github.com/team/fleet', address: 'https://github.com/anna/fleet' },
  { recorded: 'github.com/me/fleet', address: 'git@github-work:me/fleet.git' },
])('$recorded is that of $address only where packages and fleet are in one repository', ({ recorded, address }) => {
  const place = makeRepository({ origin: address })
  const keepsName = (out: string) => fleetNames(join(place, 'fleets/eu'), out).keepsName(`${recorded}//fleets/eu`)
  expect([keepsName(join(place, 'not/yet')), keepsName(makeFolder())]).toEqual([true, false])
  expect(fleetNames(join(place, 'fleets/eu'), place).keepsName('github.com/team/other//fleets/eu')).toBe(false)
})

test('a second remote names the fleet, too', () => {
  const place = makeRepository({ origin: 'https://git.example.com/anna/fork', upstream: 'https://git.example.com/team/fleet' })
  expect(fleetNames(join(place, 'fleets/eu'), makeFolder()).keepsName('git.example.com/team/fleet//fleets/eu')).toBe(true)
})

test('a shallow clone cannot compare first commits, and says what to do', () => {
  const place = makeRepository({})
  for (const message of ['one', 'two'])
    runGit({ dir: place }, [
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '--message',
      message,
    ])
  const { name } = fleetNames(place, '/out')
  writeFileSync(join(place, '.git/shallow'), runGit({ dir: place }, ['rev-parse', 'HEAD']))
  expect(() => fleetNames(place, '/out').hadName(name)).toThrow('git fetch --unshallow')
})

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['no remote', {}, undefined],
  ['one remote of any name', { up: 'https://git.example.com/a' }, 'https://git.example.com/a'],
  ['two remotes without origin', { up: 'https://git.example.com/a', fork: 'https://git.example.com/b' }, undefined],
  ['origin among others', { a: 'https://git.example.com/a', origin: '../b', z: 'https://git.example.com/z' }, '../b'],
])('the address of a repository with %s', (_what, remotes, address) => {
  expect(remoteAddress({ dir: makeRepository(remotes) })).toBe(address)
})

test('git names no fleet outside of a repository, nor before the first commit of one without an address', () => {
  expect(nameByGit(makeFolder())).toBeUndefined()
  expect(nameByGit(makeRepository({}))).toBeUndefined()
  expect(nameByGit(makeRepository({ origin: '/srv/fleet.git' }))).toBeUndefined()
  const place = makeRepository({ origin: 'git@GIT.example.com:team//fleet.git' })
  expect([nameByGit(place), nameByGit(join(place, 'fleets/eu'))]).toEqual([
    'git.example.com/team/fleet//',
    'git.example.com/team/fleet//fleets/eu',
  ])
})
