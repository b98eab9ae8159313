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
export const ONLINE = DRY_RUN.slice(0, -1)
const AGAINST = ['plan', 'fleet', '--against', 'HEAD']

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

/** Repositories and environments that make git read or run what it must not. */
export const HOSTILE_REPOSITORIES: readonly HostileRepository[] = [...CONFIGURED, ...EMBEDDED, ...ENVIRONMENTS]
