import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostilePlace } from './hostile-place.ts'

/** A prepared repository, environment, address, name or path. */
export interface HostileRepository {
  readonly what: string
  /** Prepares the place; returns the arguments, those of `DRY_RUN` without any, and the environment. */
  readonly arrange: (
    place: HostilePlace,
  ) => { readonly args?: readonly string[]; readonly environment?: Readonly<Record<string, string>> } | undefined
  readonly exitCode: 0 | 1 | 2
  readonly says: RegExp
}

export const DRY_RUN = ['render', 'fleet', '--out', 'clusters', '--dry-run', '--offline']
const ONLINE = DRY_RUN.slice(0, -1)
const AGAINST = ['plan', 'fleet', '--against', 'HEAD']
const SECRET = 's3cret'

/** Ways in which the configuration of a repository makes git run a program when an object is missing. */
const WAYS: Readonly<Record<string, (place: HostilePlace, folder: string) => void>> = {
  'a URL of ext': (place, folder) =>
    place.configure(folder, ['protocol.ext.allow', 'always'], ['remote.origin.url', `ext::${place.trap} x`]),
  'remote.origin.uploadpack': (place, folder) =>
    place.configure(folder, ['remote.origin.url', place.root], ['remote.origin.uploadpack', place.trap]),
  'core.sshCommand': (place, folder) =>
    place.configure(folder, ['remote.origin.url', 'ssh://git.example.com/x'], ['core.sshCommand', place.trap]),
  'core.gitProxy': (place, folder) =>
    place.configure(folder, ['remote.origin.url', 'git://git.example.com/x'], ['core.gitProxy', place.trap]),
  'url.*.insteadOf': (place, folder) =>
    place.configure(
      folder,
      ['protocol.ext.allow', 'always'],
      ['remote.origin.url', 'https://git.example.com/x'],
      [`url.ext::${place.trap} x.insteadOf`, 'https://git.example.com/x'],
    ),
  'include.path': (place, folder) => {
    place.write('included', `[remote "origin"]\n  url = ssh://git.example.com/x\n[core]\n  sshCommand = ${place.trap}\n`)
    place.configure(folder, ['include.path', join(place.root, 'included')])
  },
  'config.worktree': (place, folder) => {
    place.configure(folder, ['extensions.worktreeConfig', 'true'], ['remote.origin.url', 'ssh://git.example.com/x'])
    place.git(folder, 'config', '--worktree', 'core.sshCommand', place.trap)
  },
}

const CONFIGURED: readonly HostileRepository[] = Object.entries(WAYS).flatMap(([way, prepare]) => [
  {
    what: `an upstream repository without a file, fetched by ${way}`,
    arrange: (place) => {
      place.makeCatalog()
      place.loseFile(place.catalog, 'upf/Kptfile')
      prepare(place, place.catalog)
      place.options(`{git: {repo: ${place.catalog}}}`)
    },
    exitCode: 1,
    says: /Kptfile.* must have its content in the repository/,
  },
  {
    what: `a fleet in git without a file, fetched by ${way}`,
    arrange: (place) => {
      place.addSet()
      place.commitAll(place.fleet)
      place.loseFile(place.fleet, 'variant.yaml')
      prepare(place, place.fleet)
      return { args: AGAINST }
    },
    exitCode: 1,
    says: /variant\.yaml.* must have its content in the repository/,
  },
])

/** A bare repository as a folder of files, which the fleet's own git tracks. */
function embed(place: HostilePlace, options: string): undefined {
  place.makeCatalog()
  cpSync(join(place.catalog, '.git'), join(place.fleet, 'catalog.git'), { recursive: true })
  place.options(options)
  place.commitAll(place.fleet)
}

const EMBEDDED: readonly HostileRepository[] = [
  {
    what: "a bare repository among the files of the fleet's git",
    arrange: (place) => embed(place, '{git: {repo: catalog.git}}'),
    exitCode: 1,
    says: /must not be part of what the git around it tracks.*`trusted: true`/,
  },
  {
    what: 'the same, by a file URL',
    arrange: (place) => embed(place, `{git: {repo: 'FILE://${place.fleet}/catalog.git'}}`),
    exitCode: 1,
    says: /must not be part of what the git around it tracks/,
  },
  {
    what: 'the same, through a symbolic link',
    arrange: (place) => {
      symlinkSync('catalog.git', join(place.fleet, 'link'))
      embed(place, '{git: {repo: link}}')
    },
    exitCode: 1,
    says: /must not be part of what the git around it tracks/,
  },
  {
    what: 'a checkout whose common folder is such a repository',
    arrange: (place) => {
      mkdirSync(join(place.fleet, 'checkout/.git'), { recursive: true })
      writeFileSync(join(place.fleet, 'checkout/.git/HEAD'), 'ref: refs/heads/main\n')
      writeFileSync(join(place.fleet, 'checkout/.git/commondir'), '../../catalog.git\n')
      embed(place, '{git: {repo: checkout}}')
    },
    exitCode: 1,
    says: /must not be part of what the git around it tracks/,
  },
  {
    what: 'the same, trusted by name',
    arrange: (place) => embed(place, '{trusted: true, git: {repo: catalog.git}}'),
    exitCode: 2,
    says: /edge\/upf/,
  },
  {
    what: 'a folder within a bare repository among the files',
    arrange: (place) => embed(place, '{git: {repo: catalog.git/refs}}'),
    exitCode: 1,
    says: /safe\.bareRepository/,
  },
  {
    what: 'a fleet within a bare repository among the files',
    arrange: (place) => {
      embed(place, '{git: {repo: catalog.git}}')
      place.addSet('fleet/catalog.git/sub')
      return { args: ['plan', 'fleet/catalog.git/sub', '--against', 'HEAD'] }
    },
    exitCode: 1,
    says: /safe\.bareRepository/,
  },
]

function againstWith(environment: (place: HostilePlace) => Readonly<Record<string, string>>): HostileRepository['arrange'] {
  return (place) => {
    place.makeCatalog()
    place.addSet()
    place.commitAll(place.fleet)
    return { args: AGAINST, environment: environment(place) }
  }
}

function renderWith(repo: string, environment: (place: HostilePlace) => Readonly<Record<string, string>>): HostileRepository['arrange'] {
  return (place) => {
    place.options(`{git: {repo: '${repo}'}}`)
    return { args: ONLINE, environment: environment(place) }
  }
}

const SAME = { exitCode: 2, says: /^Plan: 1 to create\n/ } as const
const UNREACHABLE = { exitCode: 1, says: /cannot be read: git fetch/ } as const

const ENVIRONMENTS: readonly HostileRepository[] = [
  {
    what: 'GIT_DIR of another repository, as a hook has it',
    arrange: againstWith(({ catalog }) => ({ GIT_DIR: `${catalog}/.git` })),
    ...SAME,
  },
  {
    what: 'GIT_OBJECT_DIRECTORY of another repository',
    arrange: againstWith(({ catalog }) => ({ GIT_OBJECT_DIRECTORY: `${catalog}/.git/objects` })),
    ...SAME,
  },
  { what: 'GIT_COMMON_DIR of another repository', arrange: againstWith(({ catalog }) => ({ GIT_COMMON_DIR: `${catalog}/.git` })), ...SAME },
  {
    what: 'GIT_CEILING_DIRECTORIES around the fleet',
    arrange: againstWith(({ fleet }) => ({ GIT_DISCOVERY_ACROSS_FILESYSTEM: 'x', GIT_CEILING_DIRECTORIES: fleet, GIT_WORK_TREE: '/' })),
    ...SAME,
  },
  { what: 'GIT_TRACE with a file to write', arrange: againstWith(({ root }) => ({ GIT_TRACE: `${root}/sprung` })), ...SAME },
  { what: 'GIT_TRACE2_EVENT with a file to write', arrange: againstWith(({ root }) => ({ GIT_TRACE2_EVENT: `${root}/sprung` })), ...SAME },
  { what: 'GIT_SSH_COMMAND', arrange: renderWith('ssh://git.invalid/x', ({ trap }) => ({ GIT_SSH_COMMAND: trap })), ...UNREACHABLE },
  { what: 'GIT_SSH', arrange: renderWith('git.invalid:x', ({ trap }) => ({ GIT_SSH: trap })), ...UNREACHABLE },
  { what: 'GIT_PROXY_COMMAND', arrange: renderWith('git://git.invalid/x', ({ trap }) => ({ GIT_PROXY_COMMAND: trap })), ...UNREACHABLE },
  {
    what: 'GIT_CONFIG_COUNT with an ssh of its own',
    arrange: renderWith('ssh://git.invalid/x', ({ trap }) => ({
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.sshCommand',
      GIT_CONFIG_VALUE_0: trap,
    })),
    ...UNREACHABLE,
  },
  {
    what: 'GIT_CONFIG_PARAMETERS with an ssh of its own',
    arrange: renderWith('ssh://git.invalid/x', ({ trap }) => ({ GIT_CONFIG_PARAMETERS: `'core.sshCommand=${trap}'` })),
    ...UNREACHABLE,
  },
  {
    what: 'GIT_CONFIG_GLOBAL with an ssh of its own',
    arrange: (place) => {
      place.write('config', `[core]\n  sshCommand = ${place.trap}\n`)
      place.options("{git: {repo: 'ssh://git.invalid/x'}}")
      return { args: ONLINE, environment: { GIT_CONFIG_GLOBAL: join(place.root, 'config') } }
    },
    ...UNREACHABLE,
  },
  {
    what: 'GIT_EXEC_PATH with a transport of its own',
    arrange: (place) => {
      for (const name of ['git-remote-https', 'git-upload-pack']) {
        mkdirSync(join(place.root, 'bin'), { recursive: true })
        symlinkSync(place.trap, join(place.root, 'bin', name))
      }
      place.options("{git: {repo: 'https://git.invalid/x'}}")
      return { args: ONLINE, environment: { GIT_EXEC_PATH: join(place.root, 'bin') } }
    },
    ...UNREACHABLE,
  },
  {
    what: 'GIT_ALLOW_PROTOCOL that allows ext',
    arrange: (place) => {
      place.options(`{git: {repo: 'ext::${place.trap} x'}}`)
      return { args: ONLINE, environment: { GIT_ALLOW_PROTOCOL: 'ext' } }
    },
    exitCode: 1,
    says: /`spec\.repositories\.catalog\.git\.repo` must be a path, HOST:PATH, or a URL of https/,
  },
]

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

export const HOSTILE_REPOSITORIES: readonly HostileRepository[] = [
  ...CONFIGURED,
  ...EMBEDDED,
  ...ENVIRONMENTS,
  ...ADDRESSES,
  ...NAMES,
  ...FOLDERS,
]
