import { expect, test } from 'vitest'
import type { JsonRecord } from '../json.ts'
import { gitRepositoryOf, renderedPackage, resourceOf, syncOf, type TestOptions, variantOf } from './testing/sync-of-objects.ts'

const FLEET = { repo: 'https://git.example.com/fleet.git' }
const MAP = [resourceOf('ConfigMap', 'x')]

/** Returns the folders of the deployments of a package in each Repository, and the warnings about directories. */
function placed(git: (name: string) => JsonRecord, names: readonly string[], options: Partial<TestOptions> = {}, packages = ['dns']) {
  const objects = names.flatMap((name) => [
    gitRepositoryOf(name, git(name)),
    ...packages.flatMap((each) => [variantOf(name, each), ...renderedPackage(name, each, MAP)]),
  ])
  const { deployments, results } = syncOf(
    objects,
    { system: 'flux', expressions: { destinationExpr: 'repository.name' }, ...options },
    { inGit: (path) => `top/${path}` },
  )
  const warnings = results.filter((line) => line.includes('warning') && line.endsWith('[sync-same-folder]'))
  return { folders: deployments.map(({ folder }) => folder), warnings: warnings.map((line) => line.replace(/^\S+ /, '')) }
}

const andIn = (others: string) => `, here and in ${others} of one git repository and branch`
const warning = (others: string, directory: string) =>
  `warning: \`spec.git.directory\` must be set${others}: the path is where \`render\` writes the packages, if that repository is this one; write \`directory: ${directory}\` [sync-same-folder]`

test('without directories each Repository of one git repository deploys the folder of its rendered package', () => {
  expect(placed(() => FLEET, ['a', 'b', 'c'])).toEqual({
    folders: ['top/packages/a/dns', 'top/packages/b/dns', 'top/packages/c/dns'],
    warnings: [warning(andIn('2 other Repositories'), 'top/packages/a')],
  })
})

test('a Repository as a whole deploys the folder above its rendered packages', () => {
  expect(placed(() => FLEET, ['a', 'b'], { per: 'repository' }, ['dns', 'web'])).toEqual({
    folders: ['top/packages/a', 'top/packages/b'],
    warnings: [warning(andIn('1 other Repository'), 'top/packages/a')],
  })
})

test('a Repository as a whole with packages in several folders keeps the top', () => {
  const { folders, warnings } = placed(() => FLEET, ['a', 'b'], { per: 'repository' }, ['dns', 'teams/web'])
  expect({ folders, warnings }).toEqual({ folders: ['', ''], warnings: [] })
})

test.each([
  ['a git repository of its own', (name: string) => ({ repo: `https://git.example.com/${name}.git` })],
  ['a branch of its own', (name: string) => ({ ...FLEET, branch: name })],
])('Repositories each with %s keep the top', (_what, git) => {
  expect(placed(git, ['a', 'b'])).toEqual({ folders: ['dns', 'dns'], warnings: [] })
})

test('one address in two spellings is one git repository', () => {
  const git = (name: string) => ({ repo: name === 'a' ? 'ssh://git@git.example.com/fleet.git' : 'git@git.example.com:fleet.git' })
  expect(placed(git, ['a', 'b']).folders).toEqual(['top/packages/a/dns', 'top/packages/b/dns'])
})

test('several packages of one Repository alone keep the top', () => {
  expect(placed(() => FLEET, ['a'], {}, ['dns', 'web'])).toEqual({ folders: ['dns', 'web'], warnings: [] })
})

test('a directory that is named stays, and one that names the top is none', () => {
  const git = (name: string) => ({ ...FLEET, directory: name === 'a' ? 'clusters/a' : './' })
  expect(placed(git, ['a', 'b'])).toEqual({
    folders: ['clusters/a/dns', 'top/packages/b/dns'],
    warnings: [warning('', 'top/packages/b')],
  })
})

test('a package that is not rendered yet is deployed from the folder that `render` will give it', () => {
  const folders = (per: 'package' | 'repository', out?: string) => {
    const objects = ['a', 'b'].flatMap((name) => [gitRepositoryOf(name, FLEET), variantOf(name, 'dns')])
    const options = { system: 'flux', per, expressions: { destinationExpr: 'repository.name' } } as const
    const { deployments, results } = syncOf(objects, options, { inGit: (path) => `top/${path}`, out })
    return [...deployments.map(({ folder }) => folder), ...results.map((line) => line.replace(/^\S+ /, ''))]
  }
  const warned = warning(andIn('1 other Repository'), 'top/packages/a')
  expect(folders('package', 'packages')).toEqual(['top/packages/a/dns', 'top/packages/b/dns', warned])
  expect(folders('repository', 'packages')).toEqual(['top/packages/a', 'top/packages/b', warned])
  expect(folders('package')).toEqual(['dns', 'dns', expect.stringMatching(/^error: .* must not be that of Repository 'b'/)])
})
