import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { HostilePlace } from './hostile-place.ts'
import { type HostileRepository, ONLINE } from './hostile-repositories.ts'

const SECRET = 's3cret'

/** An address of the options, with a user's configuration that allows every transport. */
function address(what: string, repo: (place: HostilePlace) => string, says: RegExp): HostileRepository {
  return {
    what,
    arrange: (place) => {
      place.write('home/.gitconfig', '[protocol]\n  allow = always\n[protocol "ext"]\n  allow = always\n')
      place.options(`{git: {repo: ${JSON.stringify(repo(place))}}}`)
      return { args: ONLINE }
    },
    exitCode: 1,
    says,
  }
}

const TRANSPORT = /git\.repo` must be a path, HOST:PATH, or a URL of https, ssh, git or file/
const OPTION = /git\.repo` must not begin with '-'/
const PASSWORD = /git\.repo` must not hold a password, token or query.*credential helper/

const ADDRESSES: readonly HostileRepository[] = [
  address('an address of ext', ({ trap }) => `ext::${trap} x`, TRANSPORT),
  address('an address of ext in capitals', ({ trap }) => `EXT::${trap} x`, TRANSPORT),
  address('an address of fd', () => 'fd::17', TRANSPORT),
  address('a URL of http', () => 'http://127.0.0.1:1/x', TRANSPORT),
  address('a URL of ftp', () => 'ftp://127.0.0.1:1/x', TRANSPORT),
  address('an option as address', ({ trap }) => `--upload-pack=${trap}`, OPTION),
  address('an option as host', ({ trap }) => `ssh://-oProxyCommand=${trap}/x`, OPTION),
  address('an option as user', ({ trap }) => `-oProxyCommand=${trap}@git.invalid:x`, OPTION),
  address(
    'two lines as address',
    () => 'https://git.invalid/x\nhost=git.example.com',
    /must be a URL or a path, without control characters/,
  ),
  address('a password', () => `https://ada:${SECRET}@git.invalid/x`, PASSWORD),
  address('a password, with the transport in capitals', () => `HTTPS://ada:${SECRET}@git.invalid/x`, PASSWORD),
  address('a password with a slash and an at sign', () => `https://ada:x/@${SECRET}@git.invalid/x`, PASSWORD),
  address('a password for ssh', () => `ssh://ada:${SECRET}@git.invalid/x`, PASSWORD),
  address('a password before HOST:PATH', () => `ada:${SECRET}@git.invalid:x`, PASSWORD),
  address('a token as user', () => `https://ghp_${SECRET}@git.invalid/x`, PASSWORD),
  address('a token in the query', () => `https://git.invalid/x?private_token=${SECRET}`, PASSWORD),
  address('a token in the fragment', () => `https://git.invalid/x#${SECRET}`, PASSWORD),
  address('a password behind a slash too few', () => `https:/ada:${SECRET}@git.invalid/x`, PASSWORD),
  address('a password behind two slashes', () => `//ada:${SECRET}@git.invalid/x`, PASSWORD),
  address(
    'a password behind a blank',
    () => ` https://ada:${SECRET}@git.invalid/x`,
    /must be a URL or a path, .* without blanks at its ends/,
  ),
  address('a token as user, escaped', () => `https://%67hp_${SECRET}@git.invalid/x`, PASSWORD),
  {
    what: 'a password in a line that check shows',
    arrange: (place) => {
      place.options(`{git: {repo: 'ada:${SECRET}@git.invalid:x'}}`)
      return { args: ['check', 'fleet'] }
    },
    exitCode: 1,
    says: PASSWORD,
  },
  {
    what: 'a password in a line that check shows for another fault',
    arrange: (place) => {
      place.options(`{gti: {repo: 'https://ada:${SECRET}@git.invalid/x'}}`)
      return { args: ['check', 'fleet'] }
    },
    exitCode: 1,
    says: /`spec\.repositories\.catalog\.gti` is not a field/,
  },
  {
    what: 'a password in the Repository of the fleet',
    arrange: (place) => {
      place.write('fleet/catalog/upf@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n')
      const git = `{repo: 'https://ada:${SECRET}@git.invalid/x'}`
      place.write(
        'fleet/repository.yaml',
        `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: catalog}\nspec: {type: git, git: ${git}}\n`,
      )
    },
    exitCode: 1,
    says: /`spec\.upstream\.repo` must be a Repository whose `spec\.git\.repo` holds no password/,
  },
  {
    what: "a server that never answers, by the user's own ssh",
    arrange: (place) => {
      place.useSsh('#!/bin/sh\nexec sleep 300\n')
      place.options("{git: {repo: 'ssh://ada@git.invalid/x'}}")
      return { args: [...ONLINE, '--git-timeout', '1'] }
    },
    exitCode: 1,
    says: /'ssh:\/\/git\.invalid\/x' sent nothing for 1 s and was ended; --git-timeout gives it longer/,
  },
]

/** An upstream of a variant, in git and in folders. */
function upstream(what: string, fields: string, says: RegExp): HostileRepository {
  return {
    what,
    arrange: (place) => {
      place.write('secret/upf@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n')
      place.write('fleet/secret/upf@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n')
      place.makeCatalog()
      place.git(place.catalog, 'commit', '--quiet', '--allow-empty', '--message', 'second')
      place.options(`{git: {repo: ${place.catalog}}}`)
      place.variant(`{${fields}}`)
    },
    exitCode: 1,
    says,
  }
}

const REF = /must be a name that git allows for a ref/

const NAMES: readonly HostileRepository[] = [
  upstream('an expression as workspace', "repo: catalog, package: upf, workspaceName: 'HEAD~1'", REF),
  upstream('a search as workspace', "repo: catalog, package: upf, workspaceName: ':/first'", REF),
  upstream('a date as revision', "repo: catalog, package: upf, revision: 'main@{now}'", REF),
  upstream('two lines as workspace', 'repo: catalog, package: upf, workspaceName: "x\\nHEAD"', REF),
  upstream('an option as workspace', "repo: catalog, package: upf, workspaceName: '--batch-all-objects'", REF),
  upstream(
    'a package above its repository',
    "repo: secret, package: '../secret/upf', revision: 1",
    /`spec\.upstream\.package` must not have a part of dots/,
  ),
  upstream(
    'a repository above the fleet',
    "repo: '../secret', package: upf, revision: 1",
    /`spec\.upstream\.repo` must not have a part of dots/,
  ),
  upstream(
    'a package in the folder of git',
    "repo: catalog, package: '.git/upf', revision: 1",
    /`spec\.upstream\.package` must not have the part '\.git'/,
  ),
]

/** A folder of the options that leads to packages beside the fleet. */
function folder(what: string, options: (place: HostilePlace) => string, says: RegExp, more = ''): HostileRepository {
  return {
    what,
    arrange: (place) => {
      place.write('secret/upf@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n')
      mkdirSync(join(place.fleet, 'own'))
      symlinkSync('../../secret', join(place.fleet, 'own/link'))
      place.options(options(place), more)
      return more === '' ? undefined : { args: ['render', 'fleet', '--dry-run'] }
    },
    exitCode: 1,
    says,
  }
}

const FOLDERS: readonly HostileRepository[] = [
  folder(
    'a path above the fleet',
    () => '{path: ../secret}',
    /`spec\.repositories\.catalog\.path` must be a folder of the fleet, '\.\.\/secret' is outside; --allow-outside/,
  ),
  folder(
    'the path of a revision from the root',
    ({ root }) => `{revisions: {v1: {path: '${root}/secret/upf@v1'}}}`,
    /revisions\.v1\.path` must be a folder of the fleet, .* is outside/,
  ),
  folder(
    'the path of a revision above the fleet',
    () => "{revisions: {v1: {path: '../secret/upf@v1'}}}",
    /revisions\.v1\.path` must be a folder of the fleet, .* is outside/,
  ),
  folder(
    'a path through a link',
    () => '{path: own/link}',
    /`spec\.repositories\.catalog\.path` must be .*'own\/link' leads to '\.\.\/secret' through a symbolic link/,
  ),
  folder(
    'a package behind a link',
    () => "{path: own, revisions: {v1: {path: 'own/link/upf@v1'}}}",
    /leads to '\.\.\/secret\/upf@v1' through a symbolic link/,
  ),
  folder(
    'an out above the fleet',
    () => '{path: own}',
    /`spec\.out` must be a folder of the fleet, '\.\.\/elsewhere' is outside/,
    '  out: ../elsewhere\n',
  ),
  {
    what: 'a repository of the fleet that is a link',
    arrange: (place) => {
      place.write('secret/upf@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: upf\n')
      symlinkSync('../secret', join(place.fleet, 'catalog'))
    },
    exitCode: 1,
    says: /`spec\.upstream\.package` must be in a folder of the fleet, 'catalog\/upf@v1' leads to '\.\.\/secret\/upf@v1' through a symbolic link/,
  },
]

/** What options and variants name: addresses of repositories, upstreams, and folders. */
export const HOSTILE_REFERENCES: readonly HostileRepository[] = [...ADDRESSES, ...NAMES, ...FOLDERS]
