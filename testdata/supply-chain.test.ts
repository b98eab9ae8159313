import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface LockedPackage {
  readonly integrity?: string
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optional?: boolean
  readonly os?: readonly string[]
}

const LOCK: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(read('package-lock.json'))

/** The packages whose code is in a bundle, as scripts/sdk.mjs writes their licences, and what these require. */
function shipped(): readonly string[] {
  const [, list = ''] = /const BUNDLED = \[(.*?)\]/.exec(read('scripts/sdk.mjs')) ?? []
  const names = new Set([...list.matchAll(/'(.*?)'/g)].map(([, name = '']) => name))
  for (const name of names)
    for (const required of Object.keys(LOCK.packages[`node_modules/${name}`]?.dependencies ?? {})) names.add(required)
  return [...names]
}

test('the lock file has the integrity of every package whose code reaches users', () => {
  const names = shipped()
  expect(names.length).toBeGreaterThan(4)
  expect(names.filter((name) => !/^sha512-.{86}==$/.test(LOCK.packages[`node_modules/${name}`]?.integrity ?? ''))).toEqual([])
})

test('without integrity are only binaries of development tools for platforms that the registry did not answer for', () => {
  const without = Object.entries(LOCK.packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined)
  const tools = /^node_modules\/@(biomejs\/cli|oxc-parser\/binding)-/
  expect(
    without.filter(([path, { optional, os }]) => !(tools.test(path) && optional === true && os !== undefined)).map(([path]) => path),
  ).toEqual([])
})

test('the lock file names no host of a registry', () => {
  expect(Object.entries(LOCK.packages).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows')).map((name) => `.github/workflows/${name}`)
const RECIPES = readdirSync(join(ROOT, 'docs/recipes')).map((name) => `docs/recipes/${name}`)

// Of the action of this repository the recipe shows a release. A workflow of this repository is that of the same commit.
test.each([...WORKFLOWS, 'action.yml', ...RECIPES])('%s pins each action by its commit, with the version in a comment', (path) => {
  const used = [...read(path).matchAll(/^ *(?:- )?uses: (.*)$/gm)].map(([, action = '']) => action)
  const others = used.filter((action) => !action.startsWith('krm-variants/krm-variants@v') && !action.startsWith('./'))
  expect(others.filter((action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([])
})
