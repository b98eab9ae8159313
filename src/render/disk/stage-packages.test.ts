import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { testFolder } from '../../../testdata/test-folder.ts'
import { ChangedMeanwhile, type IsAsRead } from '../../folder/as-read.ts'
import { Staging } from '../../folder/staging.ts'
import { packagePlace } from '../../lifecycle/testing/places-of.ts'
import { stageLeftovers, stagePackage } from './stage-packages.ts'

let root = ''
beforeEach(() => {
  root = testFolder()
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Returns the files below the root, each with its text. */
function tree(): readonly string[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name))
  return paths.map((path) => `${path.slice(root.length + 1)}: ${readFileSync(path, 'utf8')}`).sort()
}

/** Returns the files as `tree` without the temporary ones of an interrupted run. */
function lasting(): readonly string[] {
  return tree().filter((line) => !line.includes('.krm-variants-'))
}

interface Update {
  /** Of the package. */
  readonly op?: 'create' | 'update'
  /** The path of a file that the package did not have. */
  readonly added?: string
  readonly movedFrom?: string
  /** The changed files; undefined for a deleted one. */
  readonly files: Readonly<Record<string, string | undefined>>
  readonly isAsRead?: (path: string) => IsAsRead | undefined
}

/** Writes the package of `a/shop` with some changed files; every text is new. */
function write({ op = 'update', added, movedFrom, files, isAsRead = () => undefined }: Update): void {
  const staging = new Staging(root)
  const changes = Object.entries(files).map(([path, text]) => ({
    path,
    op: text === undefined ? ('delete' as const) : path === added ? ('create' as const) : ('update' as const),
  }))
  const step = { op, folder: 'a/shop', ...(movedFrom !== undefined && { movedFrom }) }
  const bytesOf = (path: string) => Buffer.from(files[path] ?? '')
  stagePackage({ step, changes, bytesOf, modeOf: () => 0o644, leftovers: [], isAsRead }, staging, { disk: root, shown: 'out' })
  staging.commit()
}

test('a package is updated, moved or made with its files', () => {
  put('b/shop/Kptfile', 'old')
  put('b/shop/a.yaml', 'old')
  put('b/shop/gone.yaml', 'old')
  write({ movedFrom: 'b/shop', files: { Kptfile: 'new', 'gone.yaml': undefined } })
  expect(tree()).toEqual(['a/shop/Kptfile: new', 'a/shop/a.yaml: old'])
  write({ files: { 'a.yaml': 'new' } })
  expect(tree()).toEqual(['a/shop/Kptfile: new', 'a/shop/a.yaml: new'])
})

test('the Kptfile is written last, so that an update which stops before is repeated', () => {
  for (const name of ['Kptfile', 'a.yaml', 'z.yaml']) put(`a/shop/${name}`, 'old')
  let asked = 0
  const isAsRead = (path: string) => (path === 'z.yaml' ? () => ++asked < 2 : undefined)
  expect(() => write({ files: { Kptfile: 'new', 'a.yaml': 'new', 'z.yaml': 'new' }, isAsRead })).toThrow(ChangedMeanwhile)
  expect(lasting()).toEqual(['a/shop/Kptfile: old', 'a/shop/a.yaml: new', 'a/shop/z.yaml: old'])
})

test('a new file does not replace one that someone put at its place since the package was read', () => {
  put('a/shop/Kptfile', 'old')
  write({ added: 'a.yaml', files: { 'a.yaml': 'new' } })
  put('a/shop/b.yaml', 'mine')
  expect(() => write({ added: 'b.yaml', files: { 'b.yaml': 'new' } })).toThrow(ChangedMeanwhile)
  expect(lasting()).toEqual(['a/shop/Kptfile: old', 'a/shop/a.yaml: new', 'a/shop/b.yaml: mine'])
})

test('of a variant that is gone the package goes, or its Kptfile loses its owner alone', () => {
  const place = (folder: string) => packagePlace(folder, { owner: 'gone' })
  put('a/shop/Kptfile', 'kind: Kptfile\n')
  put('a/till/Kptfile', 'kind: Kptfile\n')
  put('a/till/a.yaml', 'mine')
  const staging = new Staging(root)
  const steps = [
    { op: 'remove' as const, place: place('a/shop') },
    { op: 'orphan' as const, place: place('a/till') },
  ]
  stageLeftovers(steps, [], { staging, removed: new Map(), out: { disk: root, shown: 'out' } })
  staging.commit()
  expect(tree().map((line) => line.replace(/: .*/, ''))).toEqual(['a/till/Kptfile', 'a/till/a.yaml'])
})

test('a Kptfile that someone changed since it was read keeps its owner', () => {
  put('a/till/Kptfile', 'kind: Kptfile\n')
  const staging = new Staging(root)
  const steps = [{ op: 'orphan' as const, place: packagePlace('a/till', { owner: 'gone' }) }]
  stageLeftovers(steps, [], { staging, removed: new Map(), out: { disk: root, shown: 'out' } })
  put('a/till/Kptfile', 'mine')
  expect(() => staging.commit()).toThrow(ChangedMeanwhile)
  expect(lasting()).toEqual(['a/till/Kptfile: mine'])
})

test('a package that someone changed since it was read is not removed', () => {
  put('a/shop/Kptfile', 'mine')
  const staging = new Staging(root)
  const removed = new Map([['a/shop', () => false]])
  stageLeftovers([{ op: 'remove', place: packagePlace('a/shop', { owner: 'gone' }) }], [], {
    staging,
    removed,
    out: { disk: root, shown: 'out' },
  })
  expect(() => staging.commit()).toThrow(ChangedMeanwhile)
  expect(tree()).toEqual(['a/shop/Kptfile: mine'])
})
