import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { findFunctions } from './golden-folders.ts'

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the README lists every function, and no other', () => {
  const listed = [...README.matchAll(/^\| \[`([a-z-]+)`\]\(functions\/\1\/README\.md\) \|/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(findFunctions())
})

test('every file that the README links to is there', () => {
  const links = [...README.matchAll(/\]\((?!https:)([^)#]+)\)/g)].map(([, path]) => path ?? '')
  expect(links.filter((path) => !existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url))))).toEqual([])
})

test('every npm command of the README and CONTRIBUTING exists', () => {
  const texts = README + readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8')
  const named = [...texts.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z0-9:]+)/g)].map(([, name]) => name ?? '')
  const { scripts }: { scripts: object } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = ['src', 'cli', 'page', 'scripts', 'bench', 'e2e', 'testdata'].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' }).map((path) => join(top, path)),
)

test.each(SOURCES.filter((path) => basename(path) === 'README.md'))('every file that %s names is there', (readme) => {
  const named = [...readFileSync(join(ROOT, readme), 'utf8').matchAll(/`([\w./-]*\w\.(?:ts|mjs|sh))`/g)].map(([, name]) => name ?? '')
  const isThere = (name: string) =>
    existsSync(join(ROOT, dirname(readme), name)) ||
    SOURCES.some((path) => path === name || (path.startsWith(dirname(readme)) && basename(path) === name))
  expect(named.filter((name) => !name.includes('NAME') && !isThere(name))).toEqual([])
})
