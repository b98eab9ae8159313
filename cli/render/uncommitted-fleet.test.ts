import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const repository = (name: string) => `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ${name}, labels: {a: b}}
`

const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: s}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  targets:
  - repositorySelector: {matchLabels: {a: b}}
`

const OUTSIDE = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec: {repositories: {catalog: {path: ../elsewhere/catalog}}}
`

let fleet: TestRepository

beforeEach(() => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
})

/** Commits a fleet with its upstream packages in a folder. */
function commitFleet(catalog: string): void {
  fleet.write('h/ber.yaml', repository('ber'))
  fleet.write('h/ham.yaml', repository('ham'))
  fleet.write('h/set.yaml', SET)
  fleet.write(`${catalog}/shop@v1/Kptfile`, 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n')
  fleet.write(`${catalog}/shop@v1/notes.txt`, 'as committed\n')
  fleet.commit('fleet')
}

const draft = (...options: readonly string[]) => fleet.run('render', 'h', '--out', 'o', '--branch', 'drafts/{set}', ...options)

const refused = (file: string) => [`must find the fleet as it is committed; commit or stash first: ${file}\n`, 1]

async function refusal(...options: readonly string[]) {
  const { stderr, exitCode } = await draft(...options)
  expect(fleet.git('branch', '--list', 'drafts/*')).toBe('')
  return [stderr.replace(/^.*`--branch` /, ''), exitCode]
}

test.each([
  ['core.autocrlf', () => fleet.git('config', 'core.autocrlf', 'true')],
  ['an attribute', () => fleet.write('.git/info/attributes', '*.yaml text eol=crlf\n')],
])('a fleet whose files git converted for the checkout, as %s says, is as it is committed', async (_, convert) => {
  commitFleet('h/catalog')
  convert()
  fleet.remove('h/set.yaml')
  fleet.git('checkout', '--quiet', 'h/set.yaml')
  expect(fleet.git('status', '--porcelain')).toBe('')
  const { stderr, exitCode } = await draft()
  expect([stderr, exitCode]).toEqual(['', 0])
})

test.each(['new', 'updated'])('a draft of %s packages from a checkout with the line ends of Windows has those of git', async (state) => {
  commitFleet('h/catalog')
  if (state === 'updated') {
    expect((await fleet.run('render', 'h', '--out', 'o')).exitCode).toBe(0)
    fleet.write('h/catalog/shop@v2/notes.txt', 'later\n')
    fleet.write('h/catalog/shop@v2/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n')
    fleet.write('h/set.yaml', SET.replace('revision: 1', 'revision: 2'))
    fleet.commit('newer')
  }
  fleet.git('config', 'core.autocrlf', 'true')
  fleet.git('rm', '--quiet', '-r', '--cached', '.')
  fleet.git('reset', '--quiet', '--hard')
  expect(readFileSync(join(fleet.folder, 'h/set.yaml'), 'utf8')).toContain('\r\n')
  expect(await draft()).toMatchObject({ stderr: '', exitCode: 0 })
  expect(fleet.git('grep', '--files-with-matches', 'kind: Kptfile', 'drafts/s', '--', 'o').split('\n')).toHaveLength(2)
  const committed = fleet.git('ls-tree', '-r', 'drafts/s')
  expect((await fleet.run('render', 'h', '--out', 'o')).exitCode).toBe(0)
  fleet.commit('by-render')
  expect(fleet.git('ls-tree', '-r', 'by-render')).toBe(committed)
})

test('a filter of the configuration of the repository is not run', async () => {
  commitFleet('h/catalog')
  const trap = join(fleet.folder, 'sprung')
  for (const kind of ['clean', 'process']) fleet.git('config', `filter.trap.${kind}`, `touch ${trap}; cat`)
  for (const name of ['trap', 'a=b']) {
    fleet.git('config', `filter.${name}.clean`, `touch ${trap}; cat`)
    fleet.write('.git/info/attributes', `*.yaml filter=${name}\n`)
    fleet.write('h/set.yaml', `${SET}# edited\n`)
    expect(await refusal()).toEqual(refused('h/set.yaml'))
    expect(existsSync(trap)).toBe(false)
  }
})

describe('refused is what a render reads and no commit has:', () => {
  test.each(['untracked', 'staged'])('a .krmignore that is %s: the packages of what it hides would be removed', async (state) => {
    commitFleet('h/catalog')
    fleet.write('h/.krmignore', 'ham.yaml\n')
    if (state === 'staged') fleet.git('add', '--all')
    expect(await refusal()).toEqual(refused('h/.krmignore'))
  })

  test('a file of an upstream package that is no resource', async () => {
    commitFleet('h/catalog')
    fleet.write('h/catalog/shop@v1/notes.txt', 'edited\n')
    expect(await refusal()).toEqual(refused('h/catalog/shop@v1/notes.txt'))
  })

  test.each(['notes.txt', 'new.txt'])('a file of an upstream folder beside the fleet: %s', async (name) => {
    fleet.write('h/options.yaml', OUTSIDE)
    commitFleet('elsewhere/catalog')
    fleet.write(`elsewhere/catalog/shop@v1/${name}`, 'edited\n')
    expect(await refusal('--allow-outside')).toEqual(refused(`elsewhere/catalog/shop@v1/${name}`))
  })

  test('an edited set where the packages are in the folder of the fleet', async () => {
    commitFleet('h/catalog')
    expect((await fleet.run('render', 'h', '--out', 'h')).exitCode).toBe(0)
    fleet.commit('rendered')
    fleet.write('h/set.yaml', SET.replace('a: b', 'a: b, c: d'))
    const { stderr, exitCode } = await fleet.run('render', 'h', '--out', 'h', '--branch', 'drafts/{set}')
    expect([stderr, exitCode]).toEqual([expect.stringContaining('commit or stash first: h/set.yaml\n'), 1])
  })
})
